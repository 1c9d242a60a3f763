#include "messages/schema/draft7/format/time.hpp"

#include <chrono>
#include <re2/re2.h>

namespace turnstile::draft7 {

namespace {

using re2::RE2;

// A second 60 is one that the world inserted: the last of a day in UTC.
bool is_time_of_day(int hour, int minute, int second, int offset_minutes) {
  if (hour > 23 || minute > 59 || second > 60)
    return false;
  constexpr int day = 24 * 60;
  const int utc = (hour * 60 + minute - offset_minutes + day) % day;
  return second < 60 || utc == day - 1;
}

} // namespace

bool is_date(const std::string& text) {
  static const RE2 form{R"((\d{4})-(\d\d)-(\d\d))"};
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  return RE2::FullMatch(text, form, &year, &month, &day)
         && std::chrono::year_month_day{std::chrono::year{year},
                                        std::chrono::month{month},
                                        std::chrono::day{day}}
              .ok();
}

bool is_time(const std::string& text) {
  static const RE2 form{
    R"((\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([-+])(\d\d):(\d\d)))"};
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::string sign;
  std::string offset_hour;
  std::string offset_minute;
  if (!RE2::FullMatch(text, form, &hour, &minute, &second, &sign, &offset_hour,
                      &offset_minute))
    return false;
  if (sign.empty())
    return is_time_of_day(hour, minute, second, 0);
  const int hours = std::stoi(offset_hour);
  const int minutes = std::stoi(offset_minute);
  const int offset = (hours * 60 + minutes) * (sign == "-" ? -1 : 1);
  return hours < 24 && minutes < 60
         && is_time_of_day(hour, minute, second, offset);
}

bool is_date_time(const std::string& text) {
  constexpr std::size_t date_size = 10;
  return text.size() > date_size
         && (text[date_size] == 'T' || text[date_size] == 't')
         && is_date(text.substr(0, date_size))
         && is_time(text.substr(date_size + 1));
}

} // namespace turnstile::draft7
