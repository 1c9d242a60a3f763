#include "tests/model/explore.hpp"

#include "core/base/check.hpp"
#include "tests/model/core_side.hpp"
#include "tests/model/dice.hpp"
#include "tests/model/report_lines.hpp"

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

namespace turnstile::model {

namespace {

std::string under_way; // for those who die in the middle of it

/// What is `noexcept` dies of a broken invariant: then this is all there is.
void throw_broken_invariant(std::string_view condition, std::string_view file,
                            int line) {
  auto text = "broken invariant: " + std::string{condition} + " at "
              + std::string{file} + ':' + std::to_string(line);
  if (!under_way.empty())
    std::fprintf(stderr, "%s: %s\n", under_way.c_str(), text.c_str());
  throw std::logic_error{text};
}

/// Both sides of one sequence.
class twins {
public:
  explicit twins(const rules& r) : core_(make_core_side(r)), model_(r) {}

  [[nodiscard]] const naive_scheduler& expected() const { return model_; }
  [[nodiscard]] const told& last() const { return last_; }

  /// Carries `op` out on both; returns how they differ, if they do.
  std::optional<std::string> run(const operation& op) {
    const auto wants = turnstile::model::run(model_, op);
    const auto wants_picture = picture(model_, op.now);
    std::string answer;
    try {
      last_ = core_->run(op);
      const auto has_picture = core_->picture(model_.lives(), op.now);
      const auto report = core_->report();
      if (wants == last_ && wants_picture == has_picture
          && report == model_.report())
        return std::nullopt;
      answer = last_.text() + has_picture + text(report);
    } catch (const std::exception& e) {
      answer = std::string{"threw "} + e.what() + '\n';
    }
    return "--- the model\n" + wants.text() + wants_picture
           + text(model_.report()) + "--- the core\n" + answer;
  }

private:
  std::unique_ptr<core_side> core_;
  naive_scheduler model_;
  told last_;
};

std::optional<std::string> replay(const rules& r,
                                  const std::vector<operation>& script) {
  twins both{r};
  for (const auto& op : script)
    if (auto differs = both.run(op))
      return differs;
  return std::nullopt;
}

/// Leaves out steps, many at once and then one by one, for as long as the
/// rest still shows a difference.
void shrink(const rules& r, std::vector<operation>& script) {
  for (auto chunk = script.size() / 2; chunk > 0; chunk /= 2)
    for (std::size_t from = 0; from + chunk <= script.size();) {
      auto shorter = script;
      const auto begin = shorter.begin() + static_cast<std::ptrdiff_t>(from);
      shorter.erase(begin, begin + static_cast<std::ptrdiff_t>(chunk));
      if (replay(r, shorter))
        script = std::move(shorter);
      else
        from += chunk;
    }
}

std::string report_of(std::uint64_t seed, const rules& r,
                      std::vector<operation> script, bool shrinks) {
  under_way.clear(); // what is told below need not be told twice
  if (shrinks)
    shrink(r, script);
  auto out = "seed " + std::to_string(seed) + (r.polled ? " polled" : " pushed")
             + "\n" + text(r);
  for (const auto& op : script)
    out += op.text() + '\n';
  return out + replay(r, script).value_or("the difference went away\n");
}

} // namespace

told replay_both(const rules& r, const std::vector<operation>& script) {
  twins both{r};
  for (const auto& op : script)
    if (auto differs = both.run(op))
      throw std::logic_error{op.text() + '\n' + *differs};
  return both.last();
}

std::optional<std::string> explore(std::uint64_t seed, std::uint64_t steps,
                                   bool polled, bool shrinks) {
  const auto before = set_check_handler(throw_broken_invariant);
  under_way = "seed " + std::to_string(seed) + (polled ? " polled" : " pushed");
  dice chance{seed};
  auto r = chance.some_rules();
  r.polled = polled;
  twins both{r};
  std::vector<operation> script;
  std::optional<std::string> differs;
  std::int64_t now = 0;
  for (std::uint64_t step = 0; step < steps && !differs; ++step) {
    now += static_cast<std::int64_t>(chance.below(8));
    script.push_back(chance.some_operation(both.expected(), now));
    if (both.run(script.back()))
      differs = report_of(seed, r, script, shrinks);
  }
  set_check_handler(before);
  return differs;
}

} // namespace turnstile::model
