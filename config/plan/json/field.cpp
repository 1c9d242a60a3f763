#include "config/plan/json/field.hpp"

#include "config/plan/text/nearest.hpp"
#include "config/plan/text/quote.hpp"

namespace turnstile::config {

std::string_view field::written() const {
  return wrong_->source().text.substr(value_->begin,
                                      value_->end - value_->begin);
}

std::string field::described() const {
  using type = json_value::type;
  constexpr std::size_t max_digits = 40;
  switch (value_->is) {
  case type::string:
    return in_quotes(value_->text);
  case type::array:
    return value_->items.empty() ? "an empty array" : "an array";
  case type::object:
    return value_->items.empty() ? "an empty object" : "an object";
  default:
    break;
  }
  const auto text = written();
  std::string shown{text.substr(0, max_digits)};
  return text.size() > max_digits ? shown + "..." : shown;
}

field field::at(std::size_t index) const {
  const auto& item = value_->items[index];
  auto way = is(json_value::type::object) ? member_path(path_, item.key)
                                          : element_path(path_, index);
  return {item, std::move(way), *wrong_};
}

void field::complain(std::string_view sentence, errc code) const {
  complain_at(value_->begin, sentence, code);
}

void field::complain_about_key(std::string_view sentence) const {
  complain_at(value_->key_begin, sentence, errc::invalid_plan);
}

void field::expected(std::string_view what, std::string_view advice) const {
  complain(std::string{"expected "}.append(what) + ", found " + described()
           + std::string{advice});
}

std::string field::advice(std::string_view word,
                          std::span<const std::string_view> known) const {
  return wrong_->hear(value_->begin) ? did_you_mean(word, known)
                                     : std::string{};
}

bool field::is_wrong() const {
  return wrong_->touch(value_->begin, value_->end);
}

void field::complain_at(std::size_t offset, std::string_view sentence,
                        errc code) const {
  const auto way = path_.empty() ? std::string{} : path_ + ": ";
  wrong_->add(offset, way + std::string{sentence}, code);
}

} // namespace turnstile::config
