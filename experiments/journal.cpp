// SPDX-License-Identifier: MIT
#include <array>          // digits
#include <boost/crc.hpp>  // CRC-32
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/config.hpp>
#include <pomlux/experiments/journal.hpp>
#include <string_view>  // lines

namespace pomlux {
namespace {

constexpr std::string_view kChecksum = ",\"crc32\":\"";
constexpr std::string_view kEnd = "\"}";
constexpr std::size_t kChecksumDigits = 8;
constexpr std::size_t kLargestJournal = std::size_t{1} << 32U;

std::string checksum_of(std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  constexpr std::string_view kHexadecimal = "0123456789abcdef";
  std::string digits(kChecksumDigits, '0');
  std::uint32_t rest = crc.checksum();
  for (std::size_t i = kChecksumDigits; i-- > 0; rest >>= 4U) digits[i] = kHexadecimal[rest & 15U];
  return digits;
}

std::string line_of(std::uint64_t number, const Json& event) {
  Json numbered{{"n", number}};
  numbered.update(event);
  std::string text = numbered.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();  // the closing brace
  const std::string checksum = checksum_of(text);
  return text.append(kChecksum).append(checksum).append(kEnd).append("\n");
}

/// The event of a line; what is wrong with the line otherwise.
Json read_line(std::string_view line, std::uint64_t number, std::string& fault) {
  const std::size_t tail = kChecksum.size() + kChecksumDigits + kEnd.size();
  const std::size_t length = line.size() < tail ? 0 : line.size() - tail;
  if (length == 0 || line.substr(length, kChecksum.size()) != kChecksum || !line.ends_with(kEnd)) {
    fault = "is not a line of a journal";
    return {};
  }
  const std::string_view body = line.substr(0, length);
  if (line.substr(length + kChecksum.size(), kChecksumDigits) != checksum_of(body)) {
    fault = "does not have its checksum; it was changed or damaged";
    return {};
  }
  Json event = Json::parse(std::string(body) + "}", nullptr, false);
  if (!event.is_object() || !event.contains("n") || !event.contains("event")) {
    fault = "is not an event";
    return {};
  }
  if (event.at("n") != number) {
    fault = "has the number " + event.at("n").dump() + "; expected " + format_number(number) +
            ", so a line is missing or twice";
    return {};
  }
  event.erase("n");
  return event;
}

}  // namespace

JournalText read_journal(const std::filesystem::path& path) {
  JournalText result;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return result;
  const std::string text = read_text_file(path, kLargestJournal);
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    std::string fault;
    const auto number = static_cast<std::uint64_t>(result.events.size());
    Json event = read_line(std::string_view(text).substr(begin, end - begin), number, fault);
    if (!fault.empty()) fail(path.string() + ":" + format_number(number + 1), "the line " + fault);
    result.events.push_back(std::move(event));
    begin = end + 1;
  }
  result.size = begin;
  result.torn = text.size() - begin;
  if (!result.events.empty()) {
    const Json& first = result.events.front();
    if (first.at("event") != "journal" || first.value("format", Json()) != kJournalFormat) {
      fail(path.string() + ":1",
           "is not a journal of format " + format_number(Index{kJournalFormat}) +
               ", the one this version reads");
    }
  }
  return result;
}

Journal::Journal(const std::filesystem::path& path, const JournalText& known)
    : file_(path, known.size), next_(known.events.size()) {}

void Journal::append(const Json& event) {
  file_.append(line_of(next_, event));
  ++next_;
  if (is_sync_due()) sync();
}

void Journal::sync() {
  file_.sync();
  since_sync_.lap();
}

}  // namespace pomlux
