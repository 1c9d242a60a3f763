#include "messages/json.hpp"
#include "messages/json/cursor.hpp"
#include "messages/json/names.hpp"
#include "messages/json/scalar.hpp"

#include <memory>
#include <set>

namespace turnstile {

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;

/// Reads one text into one message, and knows where in it we are.
class json_reader {
public:
  explicit json_reader(std::string_view text) : cursor_{text} {}

  status read_document(Message& message) {
    path_ = message.GetDescriptor()->name();
    if (auto done = read_message(message); !done)
      return done;
    return cursor_.at_end() ? status{} : refuse("the text should end here");
  }

private:
  static constexpr int max_depth = 64; // Messages and lists in each other.

  status read_message(Message& message) {
    const auto& type = *message.GetDescriptor();
    if (const auto* bare = detail::bare_field(type))
      return read_field(message, *bare);
    if (const auto tag = detail::tag_of(type))
      return read_flat(message, *tag);
    return read_object([&](const std::string& name) -> status {
      if (const auto* field = detail::field_of_json_name(type, name))
        return read_field(message, *field);
      return refuse("there is no such field");
    });
  }

  // Reads a message whose tag, wherever it stands, says what others mean.
  status read_flat(Message& message, const detail::json_tag& tag) {
    const auto& type = *message.GetDescriptor();
    const FieldDescriptor* chosen = nullptr;
    const auto begin = cursor_;
    if (auto value = detail::find_member(cursor_, tag.name)) {
      cursor_ = *value;
      auto place = inner{*this, '.' + std::string{tag.name}};
      if (auto done = read_tag(*tag.choice, chosen); !done)
        return done;
      cursor_ = begin;
    }
    auto* part = chosen
                   ? message.GetReflection()->MutableMessage(&message, chosen)
                   : nullptr;
    return read_object([&](const std::string& name) -> status {
      if (name == tag.name)
        return read_tag(*tag.choice, chosen);
      if (const auto* field = detail::field_of_json_name(type, name);
          field && field->containing_oneof() != tag.choice)
        return read_field(message, *field);
      if (!part)
        return refuse("it means nothing without " + quoted(tag.name));
      if (const auto* field =
            detail::field_of_json_name(*part->GetDescriptor(), name))
        return read_field(*part, *field);
      return refuse("there is no such field");
    });
  }

  // Reads which alternative of `choice` is `chosen`: none by null.
  status read_tag(const OneofDescriptor& choice,
                  const FieldDescriptor*& chosen) {
    cursor_.skip_space();
    if (cursor_.take("null"))
      return {};
    const auto begin = cursor_;
    auto name = cursor_.take_string();
    if (!name)
      return named(fail(name.error()));
    chosen = choice.containing_type()->FindFieldByName(*name);
    if (chosen && chosen->containing_oneof() == &choice)
      return {};
    cursor_ = begin;
    return refuse(quoted(*name) + " is no kind of "
                  + std::string{choice.containing_type()->name()});
  }

  static std::string quoted(std::string_view name) {
    return '"' + std::string{name} + '"';
  }

  status read_field(Message& message, const FieldDescriptor& field) {
    if (field.is_map())
      return read_map(message, field);
    if (field.is_repeated())
      return read_list(message, field);
    if (field.has_presence() && cursor_.take("null"))
      return {};
    if (const auto* choice = field.containing_oneof();
        choice && message.GetReflection()->HasOneof(message, choice))
      return refuse("one of its alternatives is there already");
    return read_value(message, field);
  }

  // Reads one value into the field, or adds it if the field is repeated.
  status read_value(Message& message, const FieldDescriptor& field) {
    const auto& its = *message.GetReflection();
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
      return read_message(field.is_repeated()
                            ? *its.AddMessage(&message, &field)
                            : *its.MutableMessage(&message, &field));
    if (detail::is_json_text(field))
      return read_json_text(message, field);
    return named(detail::read_scalar(cursor_, message, field));
  }

  status read_json_text(Message& message, const FieldDescriptor& field) {
    std::string text;
    if (auto done = cursor_.take_value(text); !done)
      return named(done);
    if (text == "null")
      text.clear();
    const auto& its = *message.GetReflection();
    if (field.is_repeated())
      its.AddString(&message, &field, std::move(text));
    else
      its.SetString(&message, &field, std::move(text));
    return {};
  }

  status read_list(Message& message, const FieldDescriptor& field) {
    if (!cursor_.take("["))
      return refuse("a list is wanted");
    auto place = inner{*this, ""};
    if (place.too_deep())
      return refuse("this is nested too deep");
    if (cursor_.take("]"))
      return {};
    do {
      if (auto done = read_value(message, field); !done)
        return done;
    } while (cursor_.take(","));
    return cursor_.take("]") ? status{} : refuse("',' or ']' is wanted");
  }

  status read_map(Message& message, const FieldDescriptor& field) {
    return read_object([&](const std::string& name) {
      auto& entry = *message.GetReflection()->AddMessage(&message, &field);
      if (auto done = read_key(entry, name); !done)
        return done;
      return read_value(entry, *field.message_type()->map_value());
    });
  }

  status read_key(Message& entry, const std::string& name) {
    const auto& field = *entry.GetDescriptor()->map_key();
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      entry.GetReflection()->SetString(&entry, &field, name);
      return {};
    }
    auto key = detail::json_cursor{name};
    return detail::read_scalar(key, entry, field) && key.at_end()
             ? status{}
             : refuse("its key does not fit");
  }

  // Calls `read_member` with each name, when its value comes next.
  template <class ReadMember>
  status read_object(ReadMember read_member) {
    if (!cursor_.take("{"))
      return refuse("an object is wanted");
    if (cursor_.take("}"))
      return {};
    std::set<std::string> seen;
    do {
      auto name = cursor_.take_string();
      if (!name)
        return named(fail(name.error()));
      auto place = inner{*this, '.' + *name};
      if (place.too_deep())
        return refuse("this is nested too deep");
      if (!seen.insert(*name).second)
        return refuse("it comes twice");
      if (!cursor_.take(":"))
        return refuse("':' is wanted");
      cursor_.skip_space();
      if (auto done = read_member(*name); !done)
        return done;
    } while (cursor_.take(","));
    return cursor_.take("}") ? status{} : refuse("',' or '}' is wanted");
  }

  /// The time that we spend at a deeper place.
  class inner {
  public:
    inner(json_reader& reader, const std::string& step)
      : reader_{reader}, length_{reader.path_.size()} {
      reader_.path_ += step;
      ++reader_.depth_;
    }
    inner(const inner&) = delete;
    inner& operator=(const inner&) = delete;
    ~inner() {
      reader_.path_.resize(length_);
      --reader_.depth_;
    }

    [[nodiscard]] bool too_deep() const noexcept {
      return reader_.depth_ > max_depth;
    }

  private:
    json_reader& reader_;
    std::size_t length_;
  };

  // Says where we are, if `done` is a refusal.
  [[nodiscard]] status named(status done) const {
    if (!done)
      done.error().detail.insert(0, path_ + ": ");
    return done;
  }

  [[nodiscard]] status refuse(std::string sentence) const {
    return named(cursor_.refuse(std::move(sentence)));
  }

  detail::json_cursor cursor_;
  std::string path_;
  int depth_ = 0;
};

} // namespace

status from_json(std::string_view text, google::protobuf::Message& message) {
  auto fresh = std::unique_ptr<Message>{message.New()};
  if (auto done = json_reader{text}.read_document(*fresh); !done)
    return done;
  message.GetReflection()->Swap(&message, fresh.get());
  return {};
}

} // namespace turnstile
