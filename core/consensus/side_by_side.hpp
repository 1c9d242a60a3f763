#pragma once

#include "core/base/ids.hpp"
#include "core/consensus/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace turnstile {

/// Reads another rank's frame beside this rank's own, word by word, and keeps
/// the first difference as a sentence. After that it goes on reading only what
/// is ours, so that a reader needs to ask once, at the end.
///
/// Ours is known to be whole; theirs may be anything. Of this rank's own row,
/// opinions count, too: nobody may change them on the way (decision R10).
class side_by_side {
public:
  /// Begins with everything that stands before the words.
  /// @param rank whose frame it has to be
  side_by_side(const frame& ours, const frame& theirs, std::size_t rank);

  /// What both say, one after the other.
  struct opinions {
    std::uint64_t ours = 0;
    std::uint64_t theirs = 0;
    std::uint64_t place = 0; ///< Where theirs stands.
  };

  /// Takes a word in which the ranks may not differ, and returns it. `name`
  /// returns the field's name; it is called if that is needed.
  template <class Name>
  std::uint64_t same(Name&& name) {
    const auto both = take();
    if (!why_ && (is_missing_ || both.ours != both.theirs))
      differs(in_words(std::forward<Name>(name)()), both);
    return both.ours;
  }

  /// Takes a word in which they may.
  template <class Name>
  opinions opinion(Name&& name) {
    const auto both = take();
    if (!why_ && (is_missing_ || (is_own_ && both.ours != both.theirs)))
      differs(in_words(std::forward<Name>(name)()), both);
    return both;
  }

  /// The same for a word that is 0 or the number of an `errc`.
  template <class Name>
  opinions verdict(Name&& name) {
    const auto both = opinion(name);
    if (!why_ && !is_verdict(both.theirs))
      means_nothing(std::forward<Name>(name)(), both.theirs);
    return both;
  }

  /// Takes the next word of ours only.
  std::uint64_t ours() { return ours_->words[ours_at_++]; }

  /// Takes the next word of theirs only.
  template <class Name>
  std::uint64_t theirs(Name&& name) {
    const auto word = take_theirs();
    if (!why_ && is_missing_)
      differs(in_words(std::forward<Name>(name)()), {});
    return word;
  }

  /// Takes the next word of theirs only, which has to be `ours`.
  template <class Name>
  void theirs_is(std::uint64_t ours, Name&& name) {
    const opinions both{ours, take_theirs(), 0};
    if (!why_ && (is_missing_ || both.ours != both.theirs))
      differs(in_words(std::forward<Name>(name)()), both);
  }

  /// Says that both differ in a word although they may in others.
  template <class Name>
  void may_not_differ(const opinions& both, Name&& name) {
    if (!why_)
      differs(in_words(std::forward<Name>(name)()), both);
  }

  /// Whether nothing differs so far.
  [[nodiscard]] bool is_same() const noexcept { return !why_.has_value(); }

  /// Our word so many further on.
  [[nodiscard]] std::uint64_t ahead(std::size_t words) const {
    return ours_->words[ours_at_ + words];
  }

  /// Says that their word for `field` is none of those there are.
  void means_nothing(const std::string& field, std::uint64_t what);

  [[nodiscard]] const frame& their_frame() const noexcept { return *theirs_; }

  /// Ends with what stands behind the words. Success, or the first difference.
  [[nodiscard]] status end();

private:
  static bool is_verdict(std::uint64_t word);
  opinions take();
  std::uint64_t take_theirs();
  void header(std::size_t rank);
  void texts();
  template <class T>
  void same_field(const char* field, const T& ours, const T& theirs);
  [[nodiscard]] std::string in_words(const std::string& field) const;
  void differs(const std::string& field, const opinions& both);
  void tell(std::string what);

  const frame* ours_;
  const frame* theirs_;
  std::size_t rank_;
  bool is_own_;
  std::size_t ours_at_ = 0;
  std::size_t theirs_at_ = 0;
  bool is_missing_ = false; ///< The word of theirs taken last is.
  std::optional<std::string> why_;
};

} // namespace turnstile
