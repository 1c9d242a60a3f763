#include "actors/caf/ask.hpp"
#include "actors/caf/network.hpp"
#include "actors/cluster/worker.hpp"
#include "actors/node/exit_code.hpp"
#include "actors/node/network_terms.hpp"
#include "actors/node/node_flags.hpp"
#include "actors/node/node_identity.hpp"
#include "actors/node/plan_task.hpp"
#include "actors/node/print.hpp"
#include "actors/node/signals.hpp"
#include "config/node/settings.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <future>
#include <memory>
#include <thread>
#include <utility>

namespace turnstile::node {

namespace {

result<config::worker_settings> settings_of(const worker_flags& flags) {
  auto settings = config::load_worker_settings(flags.settings);
  if (!settings)
    return settings;
  if (flags.connect) {
    auto where = config::parse_address(*flags.connect);
    if (!where)
      return fail(where.error().code, "--connect: " + where.error().detail);
    settings->address = *std::move(where);
  }
  settings->name = flags.name.value_or(settings->name);
  if (settings->name.empty())
    settings->name = machine_name();
  settings->insecure |= flags.insecure;
  // Without a bound of its own a backend takes one call for each core.
  for (auto& backend : settings->backends)
    if (!backend.concurrency)
      backend.concurrency = std::max(1U, std::thread::hardware_concurrency());
  return settings;
}

} // namespace

int work(const worker_flags& flags) {
  auto settings = settings_of(flags);
  if (!settings)
    return complain(settings.error());
  auto network = network_terms_of(*settings);
  if (!network)
    return complain(network.error());
  if (auto opened = send_log(flags.log, false); !opened)
    return complain(opened.error());
  block_interrupts(); // before there are threads
  node_config<> configuration;
  configuration.use_network(*network);
  caf::actor_system system{configuration};
  worker_options options;
  options.name = settings->name;
  options.incarnation = secret_number();
  options.version = program_version();
  options.backends =
    spawn_backends(system, settings->backends, std::make_shared<process_host>(),
                   settings->grace);
  const auto backends = options.backends;
  options.uplink.seed = secret_number();
  options.find = over_network(settings->address.host, settings->address.port);
  auto worker = spawn_worker(system, std::move(options));
  say(settings->name + " works for " + to_string(settings->address)
      + "; Ctrl-C leaves when what runs has ended, twice hands it back");
  auto end_all = [&] {
    caf::anon_send_exit(worker, caf::exit_reason::user_shutdown);
    for (const auto& [name, backend] : backends.by_name)
      caf::anon_send_exit(backend, caf::exit_reason::user_shutdown);
  };
  std::promise<void> asked;
  auto leaving = asked.get_future();
  interrupts watching{{[&](int count) {
                         if (count == 1)
                           asked.set_value();
                         else if (count == 2)
                           anon_mail(suspend_atom_v).send(worker);
                         else
                           end_all();
                       },
                       duration::max(), [] {}}};
  leaving.wait();
  {
    caf::scoped_actor self{system};
    (void)ask<void>(self, worker, drain_atom_v);
  }
  end_all();
  return exit_ok;
}

} // namespace turnstile::node
