#include "config/plan/json/tree_builder.hpp"

#include "config/plan/text/quote.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace turnstile::config {

namespace {

// Keeps of the parser's report what a reader can use: the reason itself, from
// `[json.exception...] parse error at ...: syntax error while parsing value -
// REASON; last read: '...'; expected ...`.
std::string reason_of(const nlohmann::detail::exception& why) {
  std::string_view reason = why.what();
  if (const auto dash = reason.find(" - "); dash != reason.npos)
    reason.remove_prefix(dash + 3);
  return "not valid JSON: "
         + std::string{reason.substr(0, reason.find("; last read"))};
}

// Where the parser's trouble begins, which it has read up to `position`. Of the
// size it reports only that of strings and numbers is right.
std::size_t begin_of_error(std::string_view text, std::size_t position,
                           std::size_t size) {
  if (position > text.size())
    return text.size(); // The end counts as a byte.
  const auto taken = text.substr(0, position);
  for (const std::string_view literal : {"true", "false", "null"})
    if (size > 1 && taken.ends_with(literal))
      size = literal.size();
  if (taken.find_last_of(",:[]{}") == position - 1)
    size = 1;
  return position - std::min(size, position);
}

} // namespace

std::uint32_t tree_builder::begin_of_token() {
  const auto begin =
    wrong_.source().text.find_first_not_of(" \t\r\n,:[]{}", last_end_);
  last_end_ = taken_;
  return static_cast<std::uint32_t>(begin);
}

bool tree_builder::string(string_t& characters) {
  json_value value;
  value.is = json_value::type::string;
  value.begin = begin_of_token();
  value.end = static_cast<std::uint32_t>(taken_);
  value.text = std::move(characters);
  return add(std::move(value));
}

bool tree_builder::scalar(json_value::type type) {
  json_value value;
  value.is = type;
  value.begin = begin_of_token();
  value.end = static_cast<std::uint32_t>(taken_);
  return add(std::move(value));
}

bool tree_builder::number() {
  json_value value;
  value.is = json_value::type::number;
  value.begin = begin_of_token();
  const auto text = wrong_.source().text;
  const auto end = text.find_first_not_of("0123456789+-.eE", value.begin);
  value.end = static_cast<std::uint32_t>(std::min(end, text.size()));
  return add(std::move(value));
}

bool tree_builder::start_object(std::size_t) {
  return open(json_value::type::object);
}

bool tree_builder::start_array(std::size_t) {
  return open(json_value::type::array);
}

bool tree_builder::open(json_value::type type) {
  open_value opened;
  opened.value.is = type;
  opened.value.begin = static_cast<std::uint32_t>(taken_ - 1);
  last_end_ = taken_;
  if (open_.size() == limits_.max_depth) {
    wrong_.add(opened.value.begin, "more than "
                                     + std::to_string(limits_.max_depth)
                                     + " objects and arrays inside each other");
    return false;
  }
  open_.push_back(std::move(opened));
  return true;
}

bool tree_builder::close() {
  auto closed = std::move(open_.back().value);
  open_.pop_back();
  closed.end = static_cast<std::uint32_t>(taken_);
  last_end_ = taken_;
  return add(std::move(closed));
}

bool tree_builder::key(string_t& name) {
  auto& object = open_.back();
  object.key_begin = begin_of_token();
  object.key = std::move(name);
  const auto [known, is_new] =
    object.keys.emplace(object.key, object.key_begin);
  if (!is_new)
    complain_about_twin(known->second);
  return true;
}

// There may be a million of them, and to tell a line all before it is read.
void tree_builder::complain_about_twin(std::uint32_t first) {
  const auto begin = open_.back().key_begin;
  wrong_.add(begin, wrong_.hear(begin)
                      ? path() + ": the key " + in_quotes(open_.back().key)
                          + " appears twice; the first is at "
                          + wrong_.source().line_and_column_of(first)
                      : std::string{});
}

bool tree_builder::add(json_value value) {
  if (++values_ > limits_.max_values) {
    wrong_.add(value.begin,
               "more than " + std::to_string(limits_.max_values) + " values");
    return false;
  }
  if (open_.empty()) {
    root_ = std::move(value);
    return true;
  }
  auto& parent = open_.back();
  value.key_begin = parent.key_begin;
  value.key = std::exchange(parent.key, {});
  parent.value.items.push_back(std::move(value));
  return true;
}

std::string tree_builder::path() const {
  std::string out;
  for (const auto& [value, key, key_begin, keys] : open_)
    out = value.is == json_value::type::object
            ? member_path(out, key)
            : element_path(out, value.items.size());
  return out;
}

bool tree_builder::parse_error(std::size_t position,
                               const std::string& last_token,
                               const nlohmann::detail::exception& why) {
  constexpr int number_overflow = 406;
  if (why.id == number_overflow) {
    wrong_.add(begin_of_token(), (open_.empty() ? "" : path() + ": ")
                                   + "the number is too large");
    return false;
  }
  const auto reason = reason_of(why);
  const auto text = wrong_.source().text;
  const bool is_whole_token = reason.find(": unexpected") != reason.npos;
  wrong_.add(
    begin_of_error(text, position, is_whole_token ? last_token.size() : 1),
    reason);
  return false;
}

} // namespace turnstile::config
