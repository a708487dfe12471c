// SPDX-License-Identifier: MIT
#include <cerrno>  // reasons
#include <cmath>   // std::isfinite
#include <pomlux/core/errors.hpp>
#include <pomlux/core/utf8.hpp>
#include <pomlux/objectives/child_process.hpp>
#include <pomlux/objectives/command.hpp>
#include <pomlux/objectives/command_result.hpp>
#include <system_error>  // programs that do not start
#include <utility>       // std::move

namespace pomlux {
namespace {

constexpr const char* kShell = "/bin/sh";
constexpr std::size_t kLongestQuote = 200;
constexpr std::size_t kLongestName = 80;

bool is_word(std::string_view text) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return !text.empty() && text.find_first_not_of(kLetters) == std::string_view::npos;
}

std::string json_text(std::string_view text) {
  constexpr const char* kHex = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      quoted += std::string("\\u00") + kHex[byte / 16] + kHex[byte % 16];
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + "\"";
}

/// The last lines of standard error, on one line; empty if there are none.
std::string last_words(const std::string& errors) {
  constexpr int kMostLines = 3;
  std::string words;
  std::size_t end = errors.size();
  int lines = 0;
  while (end > 0 && lines < kMostLines) {
    const std::size_t newline = errors.rfind('\n', end - 1);
    const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
    const std::string line = errors.substr(begin, end - begin);
    end = newline == std::string::npos ? 0 : newline;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    words = printable(line, kLongestQuote) + (words.empty() ? "" : " | ") + words;
    ++lines;
  }
  return words.empty() ? "" : "; standard error ends with '" + words + "'";
}

/// What happened, where it was not an end with code 0.
std::string fault_of(const ChildResult& result, const ChildOptions& options) {
  switch (result.end) {
    case ChildResult::End::kTimedOut:
      return "took more than " + format_number(options.timeout) + " s and was ended";
    case ChildResult::End::kTooMuchOutput:
      return "printed more than " + format_number(options.most_output) +
             " bytes and was ended; they begin with '" + printable(result.output, kLongestQuote) +
             "'";
    case ChildResult::End::kSignalled:
      return "was ended by signal " + format_number(std::int64_t{result.code});
    case ChildResult::End::kStopped:
      return "was ended on request";
    case ChildResult::End::kExited:
      break;
  }
  std::string text = "ended with exit code " + format_number(std::int64_t{result.code});
  const std::size_t end = result.output.find_last_not_of(" \t\r\n");
  if (end != std::string::npos) {
    text += " and printed '" + printable(result.output.substr(0, end + 1), kLongestQuote) + "'";
  }
  return text;
}

/// A reason that no other point would change is the caller's to mend.
bool is_about_program(int code) {
  return code == ENOENT || code == EACCES || code == ENOEXEC || code == ENOTDIR || code == E2BIG;
}

std::string hint_of(int code, const ChildOptions& options) {
  std::error_code ignored;
  if (!options.folder.empty() && !std::filesystem::is_directory(options.folder, ignored)) {
    return "; the working directory " + options.folder.string() + " is no folder any more";
  }
  if (code == ENOEXEC) return "; a script begins with #! and its interpreter";
  if (code == ENOENT && !std::filesystem::exists(options.program, ignored)) {
    return "; the program is not there any more";
  }
  if (code == ENOENT) return "; is the interpreter there that its first line names?";
  if (code == E2BIG) return "; the point is too long for arguments, not for input: json";
  return "";
}

ChildResult run_or_refuse(const ChildOptions& options) {
  try {
    return run_child(options);
  } catch (const std::system_error& error) {
    const int code = error.code().value();
    if (is_about_program(code)) throw InvalidArgument(error.what() + hint_of(code, options));
    throw EvaluationFailed(error.what());
  }
}

void require_variables(const std::vector<std::string>& environment) {
  for (const std::string& variable : environment) {
    const std::size_t equals = variable.find('=');
    if (equals != std::string::npos && equals > 0) continue;
    fail("command", "environment holds '" + printable(variable, 60) + "'; allowed: NAME=value");
  }
}

void require_options(const CommandOptions& options) {
  if (options.command.empty() || options.command.front().empty()) {
    fail("command", "command is empty; the program and its arguments are needed");
  }
  if (options.uses_shell && options.command.size() != 1) {
    fail("command",
         "shell is asked for and command holds " + std::to_string(options.command.size()) +
             " texts; allowed: one");
  }
  if (options.names.empty()) fail("command", "names is empty; one per coordinate is needed");
  if (!options.categories.empty()) {
    require_same_size("command",
                      "categories",
                      static_cast<Index>(options.categories.size()),
                      "names",
                      static_cast<Index>(options.names.size()));
  }
  require_variables(options.environment);
  std::error_code ignored;
  if (!options.folder.empty() && !std::filesystem::is_directory(options.folder, ignored)) {
    fail("command", "the working directory " + options.folder.string() + " is no folder");
  }
  if (options.timeout && !(std::isfinite(*options.timeout) && *options.timeout > 0.0)) {
    fail("command", "timeout is " + format_number(*options.timeout) + "; must be > 0 and finite");
  }
}

}  // namespace

CommandObjective::CommandObjective(CommandOptions options) : options_(std::move(options)) {
  require_options(options_);
  const std::string program = options_.uses_shell ? kShell : options_.command.front();
  program_ = find_program(program, options_.folder, options_.environment);
  Columns columns;
  for (const std::string& name : options_.names) {
    columns.emplace(name, static_cast<Index>(columns.size()));
  }
  for (std::size_t i = options_.uses_shell ? 0 : 1; i < options_.command.size(); ++i) {
    arguments_.push_back(parse(options_.command[i], columns));
    for (const Piece& piece : arguments_.back()) {
      has_placeholder_ = has_placeholder_ || piece.column != kText;
    }
  }
  if (has_placeholder_ && options_.input == CommandInput::kJson) {
    fail("command", "placeholders are for input: arguments, and input is json");
  }
}

Index CommandObjective::dimension() const { return static_cast<Index>(options_.names.size()); }

/// Splits at placeholders. Names of coordinates may be anything; what looks like a placeholder and
/// is none is refused, as it is one misspelt.
CommandObjective::Pieces CommandObjective::parse(const std::string& text,
                                                 const Columns& columns) const {
  Pieces pieces{{"", kText}};
  std::size_t position = 0;
  while (position < text.size()) {
    const std::size_t end = text[position] == '{' ? text.find('}', position) : std::string::npos;
    if (end == std::string::npos) {
      pieces.back().text += text[position++];
      continue;
    }
    const std::string word = text.substr(position + 1, end - position - 1);
    const auto name = columns.find(word);
    const bool is_variable = position > 0 && text[position - 1] == '$';
    const bool is_name = name != columns.end() && !is_variable;
    if (is_variable || (!is_name && !is_word(word))) {
      pieces.back().text += text[position++];
      continue;
    }
    if (!is_name && word != "point") {
      std::string known;
      for (const std::string& one : options_.names) known += "{" + one + "}, ";
      fail("command",
           "found {" + word + "}; allowed: " + known +
               "{point}, and blanks inside of "
               "braces that are none of these");
    }
    pieces.push_back({"", is_name ? name->second : kPoint});
    pieces.push_back({"", kText});
    position = end + 1;
  }
  return pieces;
}

bool CommandObjective::is_category(Index k) const {
  const auto position = static_cast<std::size_t>(k);
  return !options_.categories.empty() && !options_.categories[position].empty();
}

std::string CommandObjective::coordinate_text(const PointRef& point, Index k) const {
  if (!is_category(k)) return format_number(point(k));
  const std::vector<std::string>& labels = options_.categories[static_cast<std::size_t>(k)];
  const double number = point(k);
  if (!(number >= 0.0 && number < static_cast<double>(labels.size()))) {
    fail("command",
         options_.names[static_cast<std::size_t>(k)] + " is " + format_number(number) +
             "; it has the categories 0.." + std::to_string(labels.size() - 1));
  }
  return labels[static_cast<std::size_t>(number)];
}

std::vector<std::string> CommandObjective::arguments_at(const PointRef& point) const {
  std::vector<std::string> result, coordinates;
  std::string joined;
  for (Index k = 0; k < point.size(); ++k) {
    coordinates.push_back(coordinate_text(point, k));
    joined += (k > 0 ? " " : "") + coordinates.back();
  }
  const auto append_point = [&] {
    result.insert(result.end(), coordinates.begin(), coordinates.end());
  };
  if (options_.uses_shell) result.emplace_back("-c");
  for (const Pieces& pieces : arguments_) {
    const bool is_whole = pieces.size() == 3 && pieces[0].text.empty() && pieces[2].text.empty();
    if (is_whole && pieces[1].column == kPoint && !options_.uses_shell) {
      append_point();
      continue;
    }
    std::string text;
    for (const Piece& piece : pieces) {
      text += piece.column == kText    ? piece.text
              : piece.column == kPoint ? joined
                                       : coordinates[static_cast<std::size_t>(piece.column)];
    }
    result.push_back(std::move(text));
  }
  if (options_.input == CommandInput::kArguments && !has_placeholder_) {
    if (options_.uses_shell) result.emplace_back("sh");  // $0
    append_point();
  }
  return result;
}

std::string CommandObjective::input_at(const PointRef& point) const {
  if (options_.input == CommandInput::kArguments) return "";
  std::string text;
  for (Index k = 0; k < point.size(); ++k) {
    const std::string value = coordinate_text(point, k);
    text += (k > 0 ? ", " : "{") + json_text(options_.names[static_cast<std::size_t>(k)]) + ": " +
            (is_category(k) ? json_text(value) : value);
  }
  return text + "}\n";
}

Vector CommandObjective::evaluate(const PointsRef& points, Rng& rng) const {
  return observe(points, rng).values;
}

Observations CommandObjective::observe(const PointsRef& points, Rng& /*rng*/) const {
  require_same_size("command", "columns of points", points.cols(), "the dimension", dimension());
  Observations observations{Vector(points.rows())};
  for (Index i = 0; i < points.rows(); ++i) {
    const std::string row = "row " + format_number(i) + " of points";
    require_finite("command", row, points.row(i).transpose());
    ChildOptions child{program_, arguments_at(points.row(i))};
    child.environment = options_.environment;
    child.folder = options_.folder;
    child.input = input_at(points.row(i));
    child.timeout = options_.timeout.value_or(kInfinity);
    child.should_stop = should_stop_;
    const ChildResult result = run_or_refuse(child);
    const std::string name = "'" + printable(options_.command.front(), kLongestName) + "' ";
    if (result.end == ChildResult::End::kStopped) {
      throw EvaluationStopped(name + fault_of(result, child));
    }
    if (result.end != ChildResult::End::kExited || result.code != 0) {
      throw EvaluationFailed(name + fault_of(result, child) + last_words(result.errors));
    }
    try {
      const CommandResult found = parse_command_result(result.output);
      observations.values(i) = found.value;
      observations.noise_stddev.push_back(found.noise_stddev);
    } catch (const EvaluationFailed& error) {
      throw EvaluationFailed(name + error.what() + last_words(result.errors));
    }
  }
  return observations;
}

std::optional<Vector> CommandObjective::true_values(const PointsRef& /*points*/) const {
  return std::nullopt;
}

void CommandObjective::stop_when(std::function<bool()> should_stop) {
  should_stop_ = std::move(should_stop);
}

}  // namespace pomlux
