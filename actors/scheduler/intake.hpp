#pragma once

#include "actors/scheduler/backend_desk.hpp"
#include "actors/scheduler/hosted_program.hpp"
#include "core/base/hash.hpp"
#include "core/turn/guarded.hpp"
#include "messages/translate/deadline.hpp"

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
  intake(const backend_desk& backends, deadline_policy deadlines)
    : backends_(backends), deadlines_(deadlines) {}

  /// Reads the terms of a request that is to be registered.
  static result<terms_of_program<P>> read_terms(const std::string& bytes) {
    if constexpr (has_terms<P>)
      return caught(errc::invalid_argument, "make_terms",
                    [&] { return P::make_terms(bytes); });
    else
      return static_cast<void>(bytes), std::monostate{};
  }

  /// Reads the state with which a request is to be registered.
  static result<typename P::state_type> read_state(const std::string& bytes) {
    return caught(errc::invalid_argument, "make_state",
                  [&] { return P::make_state(bytes); });
  }

  void open(request_id id, terms_of_program<P> terms) {
    terms_.insert_or_assign(id, std::move(terms));
  }

  void close(request_id id) { terms_.erase(id); }

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

  /// Asks the program whether these works may come in, as if they came one
  /// after the other. Changes nothing. @pre the request is open
  status may_admit(request_id id, const std::vector<hosted_work<P>>& works) {
    if constexpr (admits_works<P>)
      return caught(errc::invalid_argument, "admit", [&]() -> status {
        if (works.size() == 1)
          return P::admit(terms(id), works.front().message);
        auto trial = terms(id);
        for (const auto& work : works) {
          if (auto may = P::admit(trial, work.message); !may)
            return may;
          P::admitted(trial, work.message);
        }
        return {};
      });
    else
      return static_cast<void>(id), static_cast<void>(works), status{};
  }

  /// Tells the program that core has accepted this work.
  void note_admitted(request_id id, const typename P::work_message& work) {
    if constexpr (admits_works<P>)
      P::admitted(terms(id), work);
    else
      static_cast<void>(id), static_cast<void>(work);
  }

private:
  status may_route(const typename P::work_message& work) const {
    if constexpr (routes_works<P>)
      return caught(errc::invalid_argument, "backend_of", [&]() -> status {
        const std::string wanted = P::backend_of(work);
        if (wanted.empty())
          return {};
        if (auto known = backends_.find(wanted); !known)
          return fail(known.error());
        return {};
      });
    else
      return static_cast<void>(work), status{};
  }

  const backend_desk& backends_;
  deadline_policy deadlines_;
  std::unordered_map<request_id, terms_of_program<P>, id_hash> terms_;
};

} // namespace turnstile
