#include "messages/schema/draft7/json/parse.hpp"

#include "messages/schema/draft7/json/excerpt.hpp"

#include <utility>
#include <vector>

namespace turnstile::draft7 {

namespace {

// Keeps of the parser's report the reason itself, from `[json.exception...]
// parse error at ...: syntax error while parsing value - REASON; last read:
// ...`.
std::string reason_of(const nlohmann::detail::exception& why) {
  constexpr int number_overflow = 406;
  if (why.id == number_overflow)
    return "the number is too large";
  std::string_view reason = why.what();
  if (const auto dash = reason.find(" - "); dash != reason.npos)
    reason.remove_prefix(dash + 3);
  return std::string{reason.substr(0, reason.find("; "))};
}

// Builds the tree from the parser's events; unlike nlohmann's own builder it
// knows limits. A pointer into the tree stays good while its value is open:
// until then nothing is added beside it.
class tree_builder final : public nlohmann::json_sax<json> {
public:
  explicit tree_builder(const json_limits& limits) : limits_{limits} {}

  json root;
  std::string wrong;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override {
    return add(value);
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; } // No such thing in text.
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    auto [member, is_new] = open_.back()->emplace(std::move(name), nullptr);
    member_ = &*member;
    return is_new
           || refuse("the key " + in_quotes(member.key()) + " comes twice");
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& why) override {
    return refuse("byte " + std::to_string(position)
                  + " is not valid JSON: " + reason_of(why));
  }

private:
  bool refuse(std::string why) {
    wrong = std::move(why);
    return false;
  }

  bool add(json value) {
    if (++values_ > limits_.max_values)
      return refuse("more than " + std::to_string(limits_.max_values)
                    + " values");
    if (open_.empty())
      added_ = &(root = std::move(value));
    else if (open_.back()->is_array())
      added_ = &open_.back()->emplace_back(std::move(value));
    else
      added_ = &(*member_ = std::move(value));
    return true;
  }

  bool open(json value) {
    if (open_.size() == limits_.max_depth)
      return refuse("more than " + std::to_string(limits_.max_depth)
                    + " objects and arrays inside each other");
    if (!add(std::move(value)))
      return false;
    open_.push_back(added_);
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  const json_limits& limits_;
  std::size_t values_ = 0;
  std::vector<json*> open_;
  json* member_ = nullptr; // Whose key was read last.
  json* added_ = nullptr;
};

} // namespace

tl::expected<json, std::string> parse_json(std::string_view text,
                                           const json_limits& limits) {
  if (text.size() > limits.max_bytes)
    return tl::unexpected{"more than " + std::to_string(limits.max_bytes)
                          + " bytes"};
  // The parser would take a NUL for the end, and skip a byte order mark.
  if (text.find('\0') != text.npos)
    return tl::unexpected<std::string>{"it holds a NUL, which no JSON has"};
  if (text.starts_with("\xef\xbb\xbf"))
    return tl::unexpected<std::string>{"it begins with a byte order mark"};
  if (text.empty()) // releases of the parser call this by several names
    return tl::unexpected<std::string>{
      "byte 1 is not valid JSON: unexpected end of input"};
  tree_builder builder{limits};
  if (!json::sax_parse(text.begin(), text.end(), &builder))
    return tl::unexpected{std::move(builder.wrong)};
  return std::move(builder.root);
}

} // namespace turnstile::draft7
