// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <chrono>     // seconds of an estimate
#include <cmath>      // std::isfinite
#include <pomlux/core/csv.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/core/utf8.hpp>
#include <pomlux/experiments/pom_command.hpp>
#include <pomlux/experiments/pom_input.hpp>
#include <pomlux/experiments/registry.hpp>

namespace pomlux {
namespace {

struct NamedPom {
  std::string name;
  Pom pom;
  double seconds = 0.0;
};

/// Options of one estimator: its defaults with the command's values where it has such an option.
Json estimator_section(const Variant& variant, const PomCommand& command) {
  Json section;
  section["type"] = variant.name;
  for (const Field& field : variant.fields) {
    Json value = field.fallback;
    const auto take = [&](const char* name, const auto& given) {
      if (field.name != name || !given) return;
      if (!field.range.contains(static_cast<double>(*given))) {
        fail(std::string("--") + name,
             "found " + format_number(*given) + "; allowed: " + allowed_text(field));
      }
      value = *given;
    };
    take("epsilon", command.epsilon);
    take("alpha", command.alpha);
    take("samples", command.samples);
    section[field.name] = std::move(value);
  }
  return section;
}

const Variant& find_estimator(const std::string& name) {
  std::vector<std::string> known;
  for (const EstimatorPlugin& plugin : estimator_plugins()) {
    if (plugin.variant.name == name) return plugin.variant;
    known.push_back(plugin.variant.name);
  }
  const std::string near = near_name(name, known);
  fail("--estimator",
       "unknown estimator '" + name + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?") +
           "; known: " + join(known));
}

/// Sections of all estimators. An option given for nobody would be ignored silently, so it is
/// refused.
std::vector<Json> estimator_sections(const PomCommand& command) {
  std::vector<Json> sections;
  bool has_epsilon = false, has_alpha = false, has_samples = false;
  for (const std::string& name : command.estimators) {
    if (std::count(command.estimators.begin(), command.estimators.end(), name) > 1) {
      fail("--estimator", "'" + name + "' is given twice");
    }
    const Json section = estimator_section(find_estimator(name), command);
    has_epsilon = has_epsilon || section.contains("epsilon");
    has_alpha = has_alpha || section.contains("alpha");
    has_samples = has_samples || section.contains("samples");
    sections.push_back(section);
  }
  const auto require_taker = [](bool is_given, bool is_taken, const char* option) {
    if (is_given && !is_taken) fail(option, "none of the chosen estimators has this option");
  };
  require_taker(command.epsilon.has_value(), has_epsilon, "--epsilon");
  require_taker(command.alpha.has_value(), has_alpha, "--alpha");
  require_taker(command.samples.has_value(), has_samples, "--samples");
  return sections;
}

std::vector<NamedPom> estimate_all(const PomCommand& command, const GaussianVector& f) {
  std::vector<NamedPom> results;
  for (const Json& section : estimator_sections(command)) {
    NamedPom result{section.at("type").get<std::string>(), {}, 0.0};
    const std::unique_ptr<PomEstimator> estimator = make_estimator(section);
    Rng rng = make_stream(command.seed, "pom:" + result.name);
    const auto start = std::chrono::steady_clock::now();
    result.pom = estimator->estimate(f, rng);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    results.push_back(std::move(result));
  }
  return results;
}

/// Collects text and hands it over in blocks: 10^7 rows are written in one pass, without the locale
/// of the stream.
class Writer {
 public:
  explicit Writer(const std::function<void(std::string_view)>& write) : write_(write) {}

  Writer& operator<<(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() > (1U << 16)) flush();
    return *this;
  }
  void flush() {
    write_(buffer_);
    buffer_.clear();
  }

 private:
  const std::function<void(std::string_view)>& write_;
  std::string buffer_;
};

std::vector<Index> rows_to_show(const PomCommand& command, const std::vector<NamedPom>& results) {
  const Index n = results.front().pom.size();
  if (command.top > 0) return results.front().pom.top(std::min<Index>(command.top, n));
  std::vector<Index> rows(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) rows[static_cast<std::size_t>(i)] = i;
  return rows;
}

void write_csv(Writer& writer,
               const PomInput& input,
               const std::vector<NamedPom>& results,
               const std::vector<Index>& rows) {
  writer << "id";
  for (const NamedPom& result : results) writer << "," << result.name;
  writer << "\n";
  for (const Index row : rows) {
    writer << csv_cell(input.names.name(row));
    for (const NamedPom& result : results)
      writer << "," << format_number(result.pom.probabilities(row));
    writer << "\n";
  }
}

std::string padded_left(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

/// Width of a column: its longest entry and two blanks, at least 14.
std::size_t column_width(const std::vector<std::string>& entries) {
  std::size_t width = 12;
  for (const std::string& entry : entries) width = std::max(width, entry.size());
  return width + 2;
}

/// About six digits: for reading, not for further use.
std::string six_digits(double value) {
  if (value == 0.0 || !std::isfinite(value)) return format_number(value);
  const double scale = std::pow(10.0, 5.0 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(scale) && scale > 0.0 ? format_number(std::round(value * scale) / scale)
                                             : format_number(value);
}

void write_table(Writer& writer,
                 const PomCommand& command,
                 const PomInput& input,
                 const std::vector<NamedPom>& results,
                 const std::vector<Index>& rows) {
  constexpr std::size_t kLongestId = 60;
  const auto id = [&](Index row) { return printable(input.names.name(row), kLongestId); };
  std::size_t id_width = column_width({});
  for (const Index row : rows) id_width = std::max(id_width, column_width({id(row)}));
  std::vector<std::size_t> widths;
  for (const NamedPom& result : results) {
    widths.push_back(column_width({result.name, std::string(to_string(result.pom.status))}));
  }
  writer << (command.is_minimizing ? "probability of being the minimum"
                                   : "probability of being the maximum")
         << ", " << std::to_string(results.front().pom.size()) << " arms\n";
  const auto write_row = [&](const std::string& head, const auto& cell) {
    writer << padded_left(head, id_width);
    for (std::size_t k = 0; k < results.size(); ++k)
      writer << padded_left(cell(results[k]), widths[k]);
    writer << "\n";
  };
  write_row("id", [](const NamedPom& result) { return result.name; });
  for (const Index row : rows) {
    write_row(id(row),
              [&](const NamedPom& result) { return six_digits(result.pom.probabilities(row)); });
  }
  write_row("entropy", [](const NamedPom& result) { return six_digits(result.pom.entropy()); });
  write_row("status",
            [](const NamedPom& result) { return std::string(to_string(result.pom.status)); });
}

std::string json_number(std::optional<double> value) {
  return value && std::isfinite(*value) ? format_number(*value) : "null";
}

void write_json(Writer& writer,
                const PomCommand& command,
                const PomInput& input,
                const std::vector<NamedPom>& results) {
  const Index n = results.front().pom.size();
  writer << "{\"n\": " << std::to_string(n) << ", \"sense\": \""
         << (command.is_minimizing ? "minimize" : "maximize") << "\"";
  if (!input.names.empty()) {
    writer << ", \"ids\": [";
    for (Index i = 0; i < n; ++i)
      writer << (i > 0 ? ", " : "")
             << Json(input.names.name(i)).dump(-1, ' ', false, Json::error_handler_t::replace);
    writer << "]";
  }
  writer << ", \"estimators\": {";
  for (const NamedPom& result : results) {
    const Pom& pom = result.pom;
    writer << (&result == &results.front() ? "\"" : ", \"") << result.name << "\": {\"p\": [";
    for (Index i = 0; i < n; ++i)
      writer << (i > 0 ? ", " : "") << format_number(pom.probabilities(i));
    writer << "], \"entropy\": " << format_number(pom.entropy())
           << ", \"kappa\": " << json_number(pom.kappa)
           << ", \"iterations\": " << std::to_string(pom.iterations)
           << ", \"numerical_error\": " << json_number(pom.numerical_error)
           << ", \"sampling_error\": " << json_number(pom.sampling_error)
           << ", \"model_error\": " << json_number(pom.model_error)
           << ", \"samples\": " << (pom.samples ? std::to_string(*pom.samples) : "null")
           << ", \"status\": \"" << to_string(pom.status)
           << "\", \"seconds\": " << format_number(result.seconds);
    if (command.top > 0) {
      writer << ", \"top\": [";
      const std::vector<Index> top = pom.top(std::min<Index>(command.top, n));
      for (const Index arm : top) writer << (arm == top.front() ? "" : ", ") << std::to_string(arm);
      writer << "]";
    }
    writer << "}";
  }
  writer << "}}\n";
}

}  // namespace

void add_note(const std::string& estimator, Status status, std::vector<std::string>& notes) {
  if (status == Status::kConverged || status == Status::kRoundingLimited) return;
  notes.push_back(estimator + " ended with status " + std::string(to_string(status)));
}

std::vector<std::string> run_pom(const PomCommand& command,
                                 std::istream& standard_input,
                                 const std::function<void(std::string_view)>& write) {
  if (command.estimators.empty()) fail("--estimator", "no estimator is named");
  if (command.top < 0)
    fail("--top", "found " + std::to_string(command.top) + "; allowed: an integer >= 0");
  if (command.alpha && !(*command.alpha > 0.0)) {
    fail("--alpha", "found " + format_number(*command.alpha) + "; allowed: a number > 0");
  }
  if (command.alpha && command.epsilon) {
    fail("--alpha", "is given together with --epsilon; allowed: one of them");
  }
  PomInput input =
      read_pom_input(command.input, command.covariance, standard_input, command.memory_limit);
  if (command.is_minimizing) {
    for (double& value : input.mean) value = -value;
  }
  const std::unique_ptr<GaussianVector> f = input.gaussian();
  std::vector<NamedPom> results;
  with_threads(command.threads, [&] { results = estimate_all(command, *f); });
  Writer writer(write);
  if (command.format == OutputFormat::kJson) {
    write_json(writer, command, input, results);
  } else if (command.format == OutputFormat::kCsv) {
    write_csv(writer, input, results, rows_to_show(command, results));
  } else {
    write_table(writer, command, input, results, rows_to_show(command, results));
  }
  writer.flush();
  std::vector<std::string> notes;
  for (const NamedPom& result : results) add_note(result.name, result.pom.status, notes);
  return notes;
}

}  // namespace pomlux
