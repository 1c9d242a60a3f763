#include "actors/agent/agent_scheduler.hpp"
#include "actors/caf/ask.hpp"
#include "actors/caf/network.hpp"
#include "actors/cluster/server.hpp"
#include "actors/cluster/worker.hpp"
#include "actors/cluster/worker_desk.hpp"
#include "actors/journal/open_journal.hpp"
#include "actors/node/exit_code.hpp"
#include "actors/node/network_terms.hpp"
#include "actors/node/node_flags.hpp"
#include "actors/node/node_identity.hpp"
#include "actors/node/past_run.hpp"
#include "actors/node/plan_task.hpp"
#include "actors/node/print.hpp"
#include "actors/node/run_desk.hpp"
#include "actors/node/signals.hpp"
#include "actors/node/stored_plan.hpp"
#include "config/node/settings.hpp"
#include "messages/deterministic.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <thread>
#include <utility>

namespace turnstile::node {

namespace {

/// What the settings and the command line say together.
result<config::serve_settings> settings_of(const serve_flags& flags) {
  auto settings = flags.settings.empty()
                    ? result<config::serve_settings>{}
                    : config::load_serve_settings(flags.settings);
  if (!settings)
    return settings;
  if (flags.listen) {
    auto where = config::parse_address(*flags.listen);
    if (!where)
      return fail(where.error().code, "--listen: " + where.error().detail);
    settings->address = *std::move(where);
  }
  settings->name = flags.name.value_or(settings->name);
  if (settings->name.empty())
    settings->name = machine_name();
  settings->concurrency = flags.concurrency.value_or(settings->concurrency);
  settings->insecure |= flags.insecure;
  if (flags.no_journal)
    settings->journal = "";
  else if (flags.journal)
    settings->journal = *flags.journal;
  return settings;
}

/// Runs that a journal has and nobody has ended.
std::vector<wire::SubmitRun> unended_runs(const std::string& path) {
  std::vector<wire::SubmitRun> all;
  auto journal = journal_view::open(path);
  if (!journal)
    return all;
  auto heads = journal->see(
    [](journal_reader& reader) -> result<std::vector<request_head>> {
      return reader.all(1'000'000);
    });
  if (!heads)
    return all;
  for (const auto& head : *heads) {
    if (head.closed_at || head.name.empty())
      continue;
    if (auto past = read_past_run(*journal, head)) {
      auto& order = all.emplace_back();
      order.set_run_id(head.name);
      order.set_plan(deterministic_bytes(to_stored(past->plan)));
    }
  }
  return all;
}

/// A worker inside the server itself.
worker_actor spawn_own_worker(caf::actor_system& system,
                              const config::serve_settings& settings,
                              const server& made) {
  worker_options options;
  options.name = settings.name;
  options.incarnation = secret_number();
  options.version = program_version();
  options.backends =
    spawn_backends(system, settings.backends, std::make_shared<process_host>(),
                   settings.grace);
  options.uplink.seed = secret_number();
  options.find = [node = node_actor{made.front}](uplink_actor::pointer,
                                                 auto found) { found(node); };
  return spawn_worker(system, std::move(options));
}

} // namespace

int serve(const serve_flags& flags) {
  auto settings = settings_of(flags);
  if (!settings)
    return complain(settings.error());
  auto network = network_terms_of(*settings);
  if (!network)
    return complain(network.error());
  if (auto opened = send_log(flags.log, false); !opened)
    return complain(opened.error());
  if (settings->insecure && !settings->tls.wanted()
      && !config::is_loopback(settings->address))
    say("insecure: whoever reaches " + to_string(settings->address)
        + " can run commands here");
  block_interrupts(); // before there are threads
  node_config<> configuration;
  configuration.use_network(*network);
  caf::actor_system system{configuration};
  agent_scheduler_options options;
  options.concurrency = settings->concurrency;
  options.max_runs = settings->max_runs;
  const auto path = settings->journal.value_or(usual_journal);
  std::vector<wire::SubmitRun> unended;
  if (!path.empty()) {
    auto journal = open_journal(system, path);
    if (!journal) {
      auto why = journal.error();
      why.detail += "\n--journal FILE names another journal, --no-journal "
                    "serves without one";
      return complain(why);
    }
    options.journal = *journal;
    unended = unended_runs(path);
  }
  auto journal = options.journal;
  auto scheduler = spawn_agent_scheduler(system, std::move(options));
  if (!scheduler)
    return complain(scheduler.error());
  auto workers =
    worker_desk_actor{turnstile::spawn<worker_desk_state>(system, *scheduler)};
  auto runs = spawn_run_desk(
    system, {*scheduler, workers, journal, settings->max_runs, 64});
  front_desk_options front;
  front.name = settings->name;
  front.incarnation = secret_number();
  front.version = program_version();
  front.terms.lost_after = settings->lost_after;
  front.max_links = settings->max_nodes;
  front.clients = runs;
  auto made = spawn_server(system, workers, std::move(front));
  if (!made)
    return complain(made.error());
  std::promise<void> interrupted;
  auto told = interrupted.get_future();
  {
    auto end_all = [&] {
      caf::anon_send_exit(made->front, caf::exit_reason::user_shutdown);
      caf::anon_send_exit(runs, caf::exit_reason::user_shutdown);
      caf::anon_send_exit(*scheduler, caf::exit_reason::user_shutdown);
      caf::anon_send_exit(workers, caf::exit_reason::user_shutdown);
      if (journal.journal)
        caf::anon_send_exit(journal.journal, caf::exit_reason::user_shutdown);
    };
    auto port = publish(system, node_actor{made->front}, settings->address.port,
                        settings->address.host);
    if (!port) {
      end_all();
      return complain({port.error().code, "cannot listen on "
                                            + to_string(settings->address)
                                            + ": " + port.error().detail});
    }
    settings->address.port = *port;
    for (auto& run : unended)
      anon_mail(std::move(run)).send(runs);
    worker_actor own;
    if (!settings->backends.empty())
      own = spawn_own_worker(system, *settings, *made);
    print(settings->name + " serves at " + to_string(settings->address) + "\n");
    interrupts watching{{[&](int count) {
                           if (count == 1)
                             interrupted.set_value();
                           else
                             end_all();
                         },
                         duration::max(), [] {}}};
    told.wait();
    {
      caf::scoped_actor self{system};
      // Clients shall wait for the next server rather than hear that this one
      // ends. What runs is stopped and stays in the journal; without one it is
      // lost.
      caf::anon_send_exit(runs, caf::exit_reason::user_shutdown);
      (void)ask<void>(self, *scheduler, suspend_atom_v);
      (void)ask<void>(self, made->front, drain_atom_v);
    }
    if (own)
      caf::anon_send_exit(own, caf::exit_reason::user_shutdown);
    unpublish(system, node_actor{made->front}, *port);
    end_all();
  }
  return exit_ok;
}

} // namespace turnstile::node
