#include "actors/agent/uuid.hpp"
#include "actors/node/exit_code.hpp"
#include "actors/node/look_flags.hpp"
#include "actors/node/network_terms.hpp"
#include "actors/node/node_flags.hpp"
#include "actors/node/node_identity.hpp"
#include "actors/node/print.hpp"
#include "actors/node/progress_display.hpp"
#include "actors/node/run_follower.hpp"
#include "actors/node/run_show.hpp"
#include "actors/node/server_question.hpp"
#include "actors/node/signals.hpp"
#include "actors/node/stored_plan.hpp"
#include "config/plan/load.hpp"
#include "messages/deterministic.hpp"
#include "messages/json.hpp"
#include "messages/translate/failure.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <future>
#include <utility>

namespace turnstile::node {

namespace {

/// The settings that a client needs: where its server is, and who it is.
result<config::node_settings> client_settings(const std::string& connect,
                                              const client_proof& proof) {
  auto where = config::parse_address(connect);
  if (!where)
    return fail(where.error().code, "--connect: " + where.error().detail);
  config::node_settings settings;
  settings.name = machine_name();
  settings.address = *std::move(where);
  settings.tls = {proof.certificate, proof.key, proof.authority};
  settings.insecure = proof.insecure;
  return settings;
}

wire::Hello hello_of(const config::node_settings& settings) {
  wire::Hello hello;
  hello.set_role(wire::NODE_ROLE_CLIENT);
  hello.set_name(settings.name);
  hello.set_incarnation(secret_number());
  hello.set_version(program_version());
  return hello;
}

} // namespace

int run_connected(const run_flags& flags) {
  auto plan = config::load_plan(flags.plan);
  if (!plan)
    return complain(plan.error());
  auto settings = client_settings(flags.connect, flags.proof);
  if (!settings)
    return complain(settings.error());
  auto network = network_terms_of(*settings);
  if (!network)
    return complain(network.error());
  progress_display display{flags.quiet};
  if (auto opened = send_log(flags.log, display.live()); !opened)
    return complain(opened.error());
  block_interrupts(); // before there are threads
  node_config<> configuration;
  configuration.use_network(*network);
  caf::actor_system system{configuration};
  std::promise<run_result> promised;
  auto ended = promised.get_future();
  run_follower_options options;
  options.hello = hello_of(*settings);
  options.find = over_network(settings->address.host, settings->address.port);
  options.uplink.seed = secret_number();
  options.run_id = flags.run.empty() ? make_uuid() : flags.run;
  options.plan = deterministic_bytes(to_stored(*plan));
  options.name = plan->run;
  for (const auto& task : plan->tasks)
    options.tasks.push_back(task.name);
  options.listener = {
    [&](const run_progress& progress, const task_result& task) {
      display.task_ended(progress, task);
    },
    [&](run_result result) { promised.set_value(std::move(result)); }};
  if (!flags.quiet)
    options.on_word = [&](const std::string& sentence) {
      display.end();
      say(sentence);
    };
  const auto run_id = options.run_id;
  auto following = spawn_run_follower(system, std::move(options));
  run_result result;
  {
    interrupts watching{
      {[&](int) { anon_mail(suspend_atom_v).send(following); }, duration::max(),
       [] {}}};
    display.begin(plan->tasks.size());
    result = ended.get();
  }
  display.end();
  if (result.lost)
    return complain(*result.lost);
  const auto interrupted = result.suspended;
  const auto code = show(result, *plan, flags.json, interrupted);
  if (interrupted && !flags.quiet)
    say("the run goes on at " + to_string(settings->address)
        + "\nturnstile run --connect " + flags.connect + " --run " + run_id
        + " " + flags.plan + " follows it again\nturnstile cancel --connect "
        + flags.connect + " " + run_id + " cancels it");
  return code;
}

int cancel_connected(const look_flags& flags) {
  auto settings = client_settings(flags.connect, flags.proof);
  if (!settings)
    return complain(settings.error());
  wire::Envelope order;
  order.mutable_stop_run()->set_run_id(flags.run);
  auto answer = ask_server(*settings, hello_of(*settings), std::move(order));
  if (!answer)
    return complain(answer.error());
  if (answer->has_run_refused())
    return complain(failure_in(answer->run_refused().why()));
  return print("run " + flags.run + " is being cancelled\n")
           ? exit_ok
           : exit_tasks_failed;
}

int tell_nodes(const look_flags& flags) {
  auto settings = client_settings(flags.connect, flags.proof);
  if (!settings)
    return complain(settings.error());
  wire::Envelope question;
  question.mutable_node_query();
  auto answer = ask_server(*settings, hello_of(*settings), std::move(question));
  if (!answer)
    return complain(answer.error());
  const auto& seen = answer->node_status();
  return print(flags.json ? to_json(seen) + "\n" : to_text(seen))
           ? exit_ok
           : exit_tasks_failed;
}

} // namespace turnstile::node
