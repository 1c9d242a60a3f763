#pragma once

#include "actors/scheduler/backend_desk.hpp"
#include "actors/scheduler/hosted_program.hpp"
#include "core/base/hash.hpp"
#include "core/turn/guarded.hpp"
#include "messages/translate/deadline.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace turnstile {

/// What a client has asked for, as core takes it.
template <hosted_program P>
struct order_read {
  std::vector<hosted_work<P>> works;
  std::vector<work_options> options; ///< One for each.
};

/// Reads what clients ask for, and refuses what the program's terms do not
/// allow. It owns the terms of every request.
template <hosted_program P>
class intake {
public:
  /// The program must outlive it.
  intake(P& program, const backend_desk& backends, deadline_policy deadlines)
    : program_(program), backends_(backends), deadlines_(deadlines) {}

  /// Reads the terms of a request that is to be registered.
  result<terms_of_program<P>> read_terms(const std::string& bytes,
                                         instant now) {
    if constexpr (has_terms<P>)
      return caught(errc::invalid_argument, "make_terms",
                    [&] { return program_.make_terms(bytes, now); });
    else
      return static_cast<void>(bytes), static_cast<void>(now), std::monostate{};
  }

  /// Reads the state with which a request is to be registered.
  result<typename P::state_type> read_state(const std::string& bytes) {
    return caught(errc::invalid_argument, "make_state",
                  [&] { return program_.make_state(bytes); });
  }

  void open(request_id id, terms_of_program<P> terms) {
    terms_.insert_or_assign(id, std::move(terms));
  }

  void close(request_id id) { terms_.erase(id); }

  /// How works are dated whose client does not say.
  [[nodiscard]] const deadline_policy& deadlines() const noexcept {
    return deadlines_;
  }

  /// @pre the request is open
  terms_of_program<P>& terms(request_id id) { return terms_.at(id); }

  /// Reads works that arrive at `now`. A refusal names the field.
  template <class Works>
  result<order_read<P>> read(const Works& works, instant now) const {
    order_read<P> order;
    for (const wire::Work& one : works) {
      hosted_work<P> work;
      if (!work.message.ParseFromString(one.payload()))
        return fail(errc::invalid_argument,
                    "Work.payload is no " + work.message.GetTypeName());
      if (auto known = may_route(work.message); !known)
        return fail(known.error());
      auto options =
        from_wire(one.deadline(), now, deadlines_, "Work.deadline");
      if (!options)
        return fail(options.error());
      order.works.push_back(std::move(work));
      order.options.push_back(*options);
    }
    return order;
  }

  /// Has the program admit these works one after the other, all or none, and
  /// dates them. @pre the request is open
  status admit(request_id id, order_read<P>& order, instant now) {
    if constexpr (admits_works<P>) {
      for (std::size_t i = 0; i < order.works.size(); ++i) {
        auto& work = order.works[i];
        auto may = caught(errc::invalid_argument, "admit", [&] {
          return program_.admit(terms(id), work.message, work.attempts, now);
        });
        if (!may) {
          take_back(id, std::span{order.works}.first(i));
          return may;
        }
        date(work, order.options[i]);
      }
    }
    if constexpr (knows_outcomes<P>)
      for (auto& work : order.works)
        if (auto known = program_.known_outcome(work.message))
          work.decided =
            std::make_unique<result_of_program<P>>(*std::move(known));
    static_cast<void>(id), static_cast<void>(order), static_cast<void>(now);
    return {};
  }

  /// Undoes the admission of works that do not come in.
  void take_back(request_id id, std::span<hosted_work<P>> works) {
    if constexpr (admits_works<P>)
      for (auto work = works.rbegin(); work != works.rend(); ++work)
        program_.take_back(terms(id), work->message);
    else
      static_cast<void>(id), static_cast<void>(works);
  }

  /// Tells the program that core has accepted this work.
  void note_accepted(const work_id& id, hosted_work<P>& work) {
    if constexpr (admits_works<P>)
      program_.accepted(terms(id.request), work.message, work.attempts, id);
    else
      static_cast<void>(id), static_cast<void>(work);
  }

  /// Gives a work the instant by which its program wants it done.
  void date(const hosted_work<P>& work, work_options& options) {
    if constexpr (dates_works<P>) {
      const auto due = program_.due(work.attempts);
      if (!due || (options.deadline && *options.deadline <= *due))
        return;
      options = {
        *due, {deadline_policy::scope::work, deadline_policy::until::commit}};
    } else {
      static_cast<void>(work), static_cast<void>(options);
    }
  }

private:
  status may_route(const typename P::work_message& work) const {
    if constexpr (routes_works<P>)
      return caught(errc::invalid_argument, "backend_of", [&]() -> status {
        const std::string wanted = program_.backend_of(work);
        if (wanted.empty())
          return {};
        if (auto known = backends_.find(wanted); !known)
          return fail(known.error());
        return {};
      });
    else
      return static_cast<void>(work), status{};
  }

  P& program_;
  const backend_desk& backends_;
  deadline_policy deadlines_;
  std::unordered_map<request_id, terms_of_program<P>, id_hash> terms_;
};

} // namespace turnstile
