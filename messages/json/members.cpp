#include "messages/json.hpp"
#include "messages/json/cursor.hpp"
#include "messages/json/string.hpp"

namespace turnstile {

result<std::string> compact_json(std::string_view text) {
  detail::json_cursor cursor{text};
  std::string out;
  if (auto read = cursor.take_value(out); !read)
    return fail(read.error());
  if (!cursor.at_end())
    return cursor.refuse("the text should end here");
  return out;
}

result<std::vector<json_member>> json_members(std::string_view text) {
  detail::json_cursor cursor{text};
  std::vector<json_member> members;
  if (!cursor.take("{"))
    return cursor.refuse("an object is wanted");
  if (!cursor.take("}")) {
    do {
      auto name = cursor.take_string();
      if (!name)
        return fail(name.error());
      if (!cursor.take(":"))
        return cursor.refuse("':' is wanted");
      auto& member = members.emplace_back(json_member{std::move(*name), {}});
      if (auto value = cursor.take_value(member.value); !value)
        return fail(value.error());
    } while (cursor.take(","));
    if (!cursor.take("}"))
      return cursor.refuse("',' or '}' is wanted");
  }
  if (!cursor.at_end())
    return cursor.refuse("the text should end here");
  return members;
}

std::string json_object(const std::vector<json_member>& members) {
  std::string out;
  for (const auto& [name, value] : members)
    out.append(out.empty() ? "{" : ",")
      .append(detail::write_json_string(name) + ':' + value);
  return out.empty() ? "{}" : out + '}';
}

} // namespace turnstile
