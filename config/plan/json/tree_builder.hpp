#pragma once

#include "config/plan/json/parse.hpp"

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace turnstile::config {

/// Turns the parser's events into a `json_value`. Only `parse_json` uses it.
///
/// The parser reports a token when it has taken its last byte, and for numbers
/// one byte more, because only that tells where they end. So `taken` is where a
/// token ends at the latest, and the next one begins at the first byte from
/// there that is no space and no separator.
class tree_builder final : public nlohmann::json_sax<nlohmann::json> {
public:
  /// `taken` is how many bytes the parser has taken so far; it changes behind
  /// our back, which is the point.
  tree_builder(complaints& wrong, const json_limits& limits,
               const std::size_t& taken)
    : wrong_(wrong), limits_(limits), taken_(taken) {}

  /// Hands the finished value over. Valid once, after a successful parse.
  json_value take() { return std::move(root_); }

  bool null() override { return scalar(json_value::type::null); }
  bool boolean(bool) override { return scalar(json_value::type::boolean); }
  bool number_integer(number_integer_t) override { return number(); }
  bool number_unsigned(number_unsigned_t) override { return number(); }
  bool number_float(number_float_t, const string_t&) override {
    return number();
  }
  bool string(string_t& characters) override;
  bool binary(binary_t&) override { return false; } // No such thing in text.
  bool start_object(std::size_t) override;
  bool key(string_t& name) override;
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override;
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& why) override;

private:
  // An object or array that is not closed yet.
  struct open_value {
    json_value value;
    std::string key;                           // Of the member that comes next.
    std::uint32_t key_begin = 0;               // Where it was written.
    std::map<std::string, std::uint32_t> keys; // Of the members so far.
  };

  std::uint32_t begin_of_token();
  bool scalar(json_value::type type);
  bool number();
  bool open(json_value::type type);
  bool close();
  bool add(json_value value);
  void complain_about_twin(std::uint32_t first);
  [[nodiscard]] std::string path() const;

  complaints& wrong_;
  const json_limits& limits_;
  const std::size_t& taken_;
  std::size_t last_end_ = 0;
  std::size_t values_ = 0;
  std::vector<open_value> open_;
  json_value root_;
};

} // namespace turnstile::config
