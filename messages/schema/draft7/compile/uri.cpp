#include "messages/schema/draft7/compile/uri.hpp"

#include <charconv>

namespace turnstile::draft7 {

namespace {

// The parts of RFC 3986 before the fragment, each with its delimiter.
struct uri_parts {
  std::string_view scheme;    // "http:"
  std::string_view authority; // "//host:80"
  std::string_view path;
  std::string_view query; // "?x"
};

uri_parts parts_of(std::string_view uri) {
  uri_parts out;
  const auto cut = [&](std::size_t size) {
    const auto part = uri.substr(0, size);
    uri.remove_prefix(part.size());
    return part;
  };
  if (const auto colon = uri.find_first_of(":/?");
      colon != uri.npos && colon > 0 && uri[colon] == ':')
    out.scheme = cut(colon + 1);
  if (uri.starts_with("//"))
    out.authority = cut(uri.find_first_of("/?", 2));
  out.path = cut(uri.find('?'));
  out.query = uri;
  return out;
}

// Takes "." and ".." out of a path (section 5.2.4).
std::string without_dots(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const auto segment = path.substr(0, path.find('/', 1));
    path.remove_prefix(segment.size());
    if (segment == "/..")
      out.resize(out.rfind('/') == out.npos ? 0 : out.rfind('/'));
    else if (segment != "/.")
      out += segment;
    if (path.empty() && (segment == "/.." || segment == "/."))
      out += '/';
  }
  return out;
}

std::string merged_path(const uri_parts& base, std::string_view path) {
  if (path.starts_with('/'))
    return without_dots(path);
  if (!base.authority.empty() && base.path.empty())
    return without_dots('/' + std::string{path});
  const auto folder = base.path.substr(0, base.path.rfind('/') + 1);
  return without_dots(std::string{folder}.append(path));
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const auto* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size()
        && std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

} // namespace

split_uri resolve(std::string_view base, std::string_view reference) {
  const auto hash = reference.find('#');
  split_uri out;
  if (hash != reference.npos)
    out.fragment = percent_decoded(reference.substr(hash + 1));
  const auto from = parts_of(base);
  const auto to = parts_of(reference.substr(0, hash));
  const auto join = [&](auto... parts) { (out.document.append(parts), ...); };
  if (!to.scheme.empty())
    join(to.scheme, to.authority, without_dots(to.path), to.query);
  else if (!to.authority.empty())
    join(from.scheme, to.authority, without_dots(to.path), to.query);
  else if (!to.path.empty())
    join(from.scheme, from.authority, merged_path(from, to.path), to.query);
  else
    join(from.scheme, from.authority, from.path,
         to.query.empty() ? from.query : to.query);
  return out;
}

} // namespace turnstile::draft7
