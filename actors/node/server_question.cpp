#include "actors/node/server_question.hpp"

#include "actors/caf/caf.hpp"
#include "actors/caf/network.hpp"
#include "actors/cluster/protocol.hpp"
#include "actors/cluster/uplink.hpp"
#include "actors/node/network_terms.hpp"
#include "actors/node/node_identity.hpp"
#include "messages/translate/failure.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <functional>
#include <future>
#include <utility>

namespace turnstile::node {

namespace {

class question_state {
public:
  static constexpr const char* name = "turnstile.question";
  using on_answer = std::function<void(result<wire::Envelope>)>;

  question_state(uplink_owner_actor::pointer self, node_finder find,
                 wire::Hello hello, wire::Envelope question, on_answer answered)
    : self_(self), find_(std::move(find)), hello_(std::move(hello)),
      question_(std::move(question)), answered_(std::move(answered)) {}

  uplink_owner_actor::behavior_type make_behavior() {
    uplink_options options;
    options.find = std::move(find_);
    options.owner = uplink_owner_actor{self_};
    options.seed = secret_number();
    uplink_ = spawn<uplink_state>(self_->system(), std::move(options));
    mail(self_, join_atom_v, hello_).send(uplink_);
    return {
      [this](join_atom, const wire::Envelope&) {
        mail(self_, post_atom_v, question_).send(uplink_);
      },
      [this](const wire::Envelope& letter) { end(letter); },
      [this](leave_atom, const wire::Envelope& goodbye) {
        const auto why = reason_in(goodbye);
        end(fail(why.value_or(
          failure{errc::backend_lost, "the server has said goodbye"})));
      },
      [this](const wire::Failure& why) { end(fail(failure_in(why))); },
    };
  }

private:
  void end(result<wire::Envelope> how) {
    mail(self_, leave_atom_v).send(uplink_);
    answered_(std::move(how));
    self_->quit();
  }

  uplink_owner_actor::pointer self_;
  node_finder find_;
  wire::Hello hello_;
  wire::Envelope question_;
  on_answer answered_;
  uplink_actor uplink_;
};

void append(std::string& text, const wire::BackendEntry& entry) {
  text.append("  ").append(entry.terms().name()).append(": ");
  text.append(std::to_string(entry.executing())).append(" of ");
  text.append(std::to_string(entry.terms().concurrency()));
  text.append(" slots in use\n");
}

} // namespace

result<wire::Envelope> ask_server(const config::node_settings& settings,
                                  const wire::Hello& hello,
                                  wire::Envelope question) {
  auto network = network_terms_of(settings);
  if (!network)
    return fail(network.error());
  node_config<> configuration;
  configuration.use_network(*network);
  caf::actor_system system{configuration};
  std::promise<result<wire::Envelope>> promised;
  auto answered = promised.get_future();
  spawn<question_state>(
    system, over_network(settings.address.host, settings.address.port), hello,
    std::move(question),
    [&](result<wire::Envelope> how) { promised.set_value(std::move(how)); });
  auto how = answered.get();
  if (!how)
    how.error().detail.insert(0, to_string(settings.address) + ": ");
  return how;
}

std::string to_text(const wire::NodeStatus& status) {
  std::string text = status.name();
  text.append(": ").append(std::to_string(status.workers_size()));
  text.append(" workers, ").append(std::to_string(status.clients()));
  text.append(" clients, ").append(std::to_string(status.runs_size()));
  text.append(" runs\n");
  for (const auto& worker : status.workers()) {
    text.append("worker ").append(worker.name());
    text.append(worker.leaving() ? " (leaves)\n" : "\n");
    for (const auto& entry : worker.backends())
      append(text, entry);
  }
  for (const auto& run : status.runs())
    text.append("run ").append(run).append("\n");
  auto count = [&](const char* what, std::uint64_t number) {
    if (number > 0)
      text.append(what)
        .append(": ")
        .append(std::to_string(number))
        .append("\n");
  };
  count("workers lost", status.workers_lost());
  count("works lost with them", status.works_lost());
  count("late completions discarded", status.fenced());
  count("strangers and senseless messages refused", status.refused());
  return text;
}

} // namespace turnstile::node
