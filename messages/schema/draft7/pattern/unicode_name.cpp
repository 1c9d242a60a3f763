#include "messages/schema/draft7/pattern/unicode_name.hpp"

#include <array>
#include <utility>

namespace turnstile::draft7 {

namespace {

// The long names of general categories (PropertyValueAliases.txt of Unicode).
constexpr auto categories =
  std::to_array<std::pair<std::string_view, std::string_view>>({
    {"Cased_Letter", "L&"},
    {"Close_Punctuation", "Pe"},
    {"Connector_Punctuation", "Pc"},
    {"Control", "Cc"},
    {"Currency_Symbol", "Sc"},
    {"Dash_Punctuation", "Pd"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Enclosing_Mark", "Me"},
    {"Final_Punctuation", "Pf"},
    {"Format", "Cf"},
    {"Initial_Punctuation", "Pi"},
    {"Letter", "L"},
    {"Letter_Number", "Nl"},
    {"Line_Separator", "Zl"},
    {"Lowercase_Letter", "Ll"},
    {"Mark", "M"},
    {"Math_Symbol", "Sm"},
    {"Modifier_Letter", "Lm"},
    {"Modifier_Symbol", "Sk"},
    {"Nonspacing_Mark", "Mn"},
    {"Number", "N"},
    {"Open_Punctuation", "Ps"},
    {"Other", "C"},
    {"Other_Letter", "Lo"},
    {"Other_Number", "No"},
    {"Other_Punctuation", "Po"},
    {"Other_Symbol", "So"},
    {"Paragraph_Separator", "Zp"},
    {"Private_Use", "Co"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Spacing_Mark", "Mc"},
    {"Symbol", "S"},
    {"Titlecase_Letter", "Lt"},
    {"Uppercase_Letter", "Lu"},
  });

} // namespace

std::string_view re2_unicode_name(std::string_view name) {
  for (const std::string_view property :
       {"General_Category=", "gc=", "Script=", "sc="})
    if (name.starts_with(property))
      name.remove_prefix(property.size());
  for (const auto& [known, short_name] : categories)
    if (known == name)
      return short_name;
  return name;
}

} // namespace turnstile::draft7
