#include "core/consensus/side_by_side.hpp"

namespace turnstile {

namespace {

std::string text(std::uint64_t number) {
  return std::to_string(number);
}

std::string text(frame_kind kind) {
  const auto name = to_string(kind);
  return name == "unknown" ? text(static_cast<std::uint64_t>(kind))
                           : std::string{name};
}

std::string text(instant time) {
  return std::to_string(time.time_since_epoch().count());
}

} // namespace

side_by_side::side_by_side(const frame& ours, const frame& theirs,
                           std::size_t rank)
  : ours_(&ours), theirs_(&theirs), rank_(rank), is_own_(rank == ours.rank) {
  header(rank);
}

template <class T>
void side_by_side::same_field(const char* field, const T& ours,
                              const T& theirs) {
  if (!why_ && ours != theirs)
    tell(std::string{field} + " is " + text(theirs) + " there and " + text(ours)
         + " here");
}

void side_by_side::header(std::size_t rank) {
  same_field("kind", ours_->kind, theirs_->kind);
  same_field<std::uint64_t>("format", ours_->format, theirs_->format);
  same_field("protocol", ours_->protocol, theirs_->protocol);
  same_field("epoch", ours_->epoch, theirs_->epoch);
  same_field("round", ours_->round, theirs_->round);
  if (!why_ && theirs_->rank != rank)
    tell("rank is " + text(theirs_->rank) + " there");
  same_field("clock", ours_->clock, theirs_->clock);
  if (!why_ && theirs_->length != theirs_->words.size())
    tell("length is " + text(theirs_->length) + " there, but "
         + text(theirs_->words.size()) + " words came");
}

side_by_side::opinions side_by_side::take() {
  const auto ours = ours_->words[ours_at_++];
  const auto place = theirs_at_;
  return {ours, take_theirs(), place};
}

std::uint64_t side_by_side::take_theirs() {
  is_missing_ = theirs_at_ >= theirs_->words.size();
  const auto place = theirs_at_++;
  if (!is_missing_)
    return theirs_->words[place];
  return 0;
}

bool side_by_side::is_verdict(std::uint64_t word) {
  return word == 0
         || (word <= UINT8_MAX
             && errc_from_number(static_cast<std::uint8_t>(word)));
}

status side_by_side::end() {
  if (!why_ && theirs_at_ < theirs_->words.size())
    tell(in_words("the end") + " comes after "
         + text(theirs_->words.size() - theirs_at_) + " words more there");
  texts();
  if (why_)
    return fail(errc::consensus, *why_);
  return {};
}

void side_by_side::texts() {
  if (!why_ && is_own_ && ours_->texts != theirs_->texts)
    tell(in_words("the texts") + " came back changed");
  for (std::size_t i = 0; i < theirs_->texts.size() && !why_; ++i) {
    const auto& of = theirs_->texts[i];
    if (of.word >= theirs_->words.size()
        || (i > 0 && of.word <= theirs_->texts[i - 1].word))
      means_nothing("text " + text(i) + ": word", of.word);
    else if (of.text.size() > frame_text::max_bytes)
      means_nothing("text " + text(i) + ": length", of.text.size());
  }
}

std::string side_by_side::in_words(const std::string& field) const {
  return std::string{to_string(ours_->kind)} + ": " + field;
}

void side_by_side::differs(const std::string& field, const opinions& both) {
  if (is_missing_)
    tell(field + " is missing there");
  else
    tell(field + " is " + text(both.theirs) + " there and " + text(both.ours)
         + " here");
}

void side_by_side::means_nothing(const std::string& field, std::uint64_t what) {
  if (!why_)
    tell(in_words(field) + " is " + text(what) + " there, which means nothing");
}

void side_by_side::tell(std::string what) {
  why_ = "rank " + text(rank_) + " differs in round " + text(ours_->round)
         + ": " + std::move(what);
}

} // namespace turnstile
