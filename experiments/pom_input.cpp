// SPDX-License-Identifier: MIT
#include <algorithm>   // std::find
#include <cmath>       // std::sqrt
#include <filesystem>  // directories
#include <fstream>     // files
#include <functional>  // readers
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/npy.hpp>
#include <pomlux/experiments/pom_input.hpp>

namespace pomlux {
namespace {

constexpr double kStddevAgreement = 1e-6;

/// Opens `path` ("-" is standard input) and calls `read` with it.
void with_input(const std::string& path,
                std::istream& standard_input,
                const std::function<void(std::istream&, const std::string&)>& read) {
  if (path == "-") {
    read(standard_input, "standard input");
    return;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    fail(path, "is a directory; a CSV or .npy file is needed");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "cannot be opened for reading");
  read(file, path);
}

/// Positions of the columns in use.
struct Columns {
  std::size_t mean = 0;
  std::optional<std::size_t> stddev;
  std::optional<std::size_t> id;
};

Columns find_columns(const std::vector<std::string>& names,
                     const std::string& where,
                     bool has_covariance) {
  const auto position = [&](std::string_view name) -> std::optional<std::size_t> {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    if (std::find(found + 1, names.end(), name) != names.end()) {
      fail(where, "column '" + std::string(name) + "' is given twice");
    }
    return static_cast<std::size_t>(found - names.begin());
  };
  std::string found;
  for (const std::string& name : names) found += (found.empty() ? "'" : ", '") + name + "'";
  const auto mean = position("mean");
  if (!mean) fail(where, "no column 'mean'; found " + found);
  Columns columns{*mean, position("stddev"), position("id")};
  if (!columns.stddev && !has_covariance) fail(where, "no column 'stddev'; found " + found);
  return columns;
}

Columns columns_without_names(std::size_t width, const std::string& where, bool has_covariance) {
  if (width == 2) return {0, 1, std::nullopt};
  if (width == 1 && has_covariance) return {0, std::nullopt, std::nullopt};
  fail(where,
       "found " + std::to_string(width) + " columns without names; allowed: 2 (mean, stddev)" +
           (has_covariance ? ", 1 (mean)" : "") + " or a header that names mean and stddev");
}

[[noreturn]] void fail_negative_stddev(double value, const std::string& where) {
  fail(where, "column stddev: found " + format_number(value) + "; allowed: a finite number >= 0");
}

void read_arms_csv(std::istream& stream,
                   const std::string& source,
                   bool has_covariance,
                   PomInput& input) {
  std::optional<Columns> columns;
  for_each_csv_row(stream, source, [&](CsvRow& row) {
    const std::string where = columns ? std::string() : source + ":" + std::to_string(row.line);
    if (row.is_header) {
      columns = find_columns(row.cells, where, has_covariance);
      return;
    }
    if (!columns) columns = columns_without_names(row.cells.size(), where, has_covariance);
    input.mean.push_back(parse_csv_number(row.cells[columns->mean], source, row.line, "mean"));
    if (columns->stddev) {
      const double value =
          parse_csv_number(row.cells[*columns->stddev], source, row.line, "stddev");
      if (value < 0.0) fail_negative_stddev(value, source + ":" + std::to_string(row.line));
      input.stddev.push_back(value);
    }
    if (columns->id) input.names.add(row.cells[*columns->id]);
  });
}

void read_arms_npy(std::istream& stream,
                   const std::string& source,
                   bool has_covariance,
                   double memory_limit,
                   PomInput& input) {
  const NpyArray array = read_npy(stream, source, memory_limit);
  const Columns columns =
      array.fields.empty()
          ? columns_without_names(
                static_cast<std::size_t>(array.values.cols()), source, has_covariance)
          : find_columns(array.fields, source, has_covariance);
  const auto value = [&](Index row, std::size_t column, const char* name) {
    const double number = array.values(row, static_cast<Index>(column));
    if (!std::isfinite(number)) {
      fail(source,
           "row " + std::to_string(row) + ", column " + name + ": found " + format_number(number) +
               "; allowed: a finite number");
    }
    return number;
  };
  for (Index row = 0; row < array.values.rows(); ++row) {
    input.mean.push_back(value(row, columns.mean, "mean"));
    if (columns.stddev) {
      const double stddev = value(row, *columns.stddev, "stddev");
      if (stddev < 0.0) fail_negative_stddev(stddev, source + ", row " + std::to_string(row));
      input.stddev.push_back(stddev);
    }
    if (columns.id) input.names.add(format_number(value(row, *columns.id, "id")));
  }
}

Matrix read_covariance_csv(std::istream& stream,
                           const std::string& source,
                           Index n,
                           double memory_limit) {
  require_memory(source, n, n, memory_limit);
  Matrix covariance(n, n);
  Index row = 0;
  for_each_csv_row(stream, source, [&](CsvRow& cells) {
    const std::string where = source + ":" + std::to_string(cells.line);
    if (static_cast<Index>(cells.cells.size()) != n || row == n) {
      fail(where,
           "a covariance of " + std::to_string(n) + " x " + std::to_string(n) +
               " is needed; found " +
               (row == n ? "more rows" : std::to_string(cells.cells.size()) + " columns"));
    }
    for (Index column = 0; column < n; ++column) {
      covariance(row, column) = parse_csv_number(cells.cells[static_cast<std::size_t>(column)],
                                                 source,
                                                 cells.line,
                                                 std::to_string(column + 1));
    }
    ++row;
  });
  if (row != n) {
    fail(source,
         "found " + std::to_string(row) + " rows; a covariance of " + std::to_string(n) + " x " +
             std::to_string(n) + " is needed");
  }
  return covariance;
}

Matrix read_covariance(std::istream& stream,
                       const std::string& source,
                       Index n,
                       double memory_limit) {
  if (!is_npy(stream)) return read_covariance_csv(stream, source, n, memory_limit);
  const NpyArray array = read_npy(stream, source, memory_limit);
  if (array.values.rows() != n || array.values.cols() != n || !array.fields.empty()) {
    fail(source,
         "found an array of " + std::to_string(array.values.rows()) + " x " +
             std::to_string(array.values.cols()) + "; a covariance of " + std::to_string(n) +
             " x " + std::to_string(n) + " is needed");
  }
  require_finite(source, "covariance", array.values.reshaped());
  return array.values;
}

/// Fills a stddev that was left out, or compares it with the covariance.
void reconcile_stddev(PomInput& input, const std::string& source) {
  const Matrix& covariance = *input.covariance;
  const bool is_given = !input.stddev.empty();
  input.stddev.resize(input.mean.size());
  for (Index i = 0; i < covariance.rows(); ++i) {
    const double variance = covariance(i, i);
    if (variance < 0.0) {
      fail(source,
           "the variance of arm " + input.names.name(i) + " is " + format_number(variance) +
               "; must be >= 0");
    }
    const double root = std::sqrt(variance);
    double& stddev = input.stddev[static_cast<std::size_t>(i)];
    if (is_given && std::abs(stddev - root) > kStddevAgreement * std::max(1.0, root)) {
      fail(source,
           "stddev of arm " + input.names.name(i) + " is " + format_number(stddev) +
               " but the root of its variance is " + format_number(root) +
               "; they must agree to 1e-6");
    }
    stddev = root;
  }
}

}  // namespace

void ArmNames::add(std::string_view name) {
  text_ += name;
  ends_.push_back(text_.size());
}

std::string ArmNames::name(Index arm) const {
  if (ends_.empty()) return std::to_string(arm);
  const auto i = static_cast<std::size_t>(arm);
  const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
  return text_.substr(begin, ends_[i] - begin);
}

std::unique_ptr<GaussianVector> PomInput::gaussian() const {
  if (!covariance)
    return std::make_unique<IndependentGaussian>(IndependentGaussian::view(mean, stddev));
  const Eigen::Map<const Vector> means(mean.data(), static_cast<Index>(mean.size()));
  return std::make_unique<DenseGaussian>(means, *covariance);
}

PomInput read_pom_input(const std::string& path,
                        const std::string& covariance_path,
                        std::istream& standard_input,
                        double memory_limit) {
  const bool has_covariance = !covariance_path.empty();
  if (path == "-" && covariance_path == "-")
    fail("pom", "only one of the two inputs can be standard input");
  PomInput input;
  with_input(path, standard_input, [&](std::istream& stream, const std::string& source) {
    if (is_npy(stream)) {
      read_arms_npy(stream, source, has_covariance, memory_limit, input);
    } else {
      read_arms_csv(stream, source, has_covariance, input);
    }
    if (input.mean.empty()) fail(source, "holds no arms; every row is one arm");
  });
  if (has_covariance) {
    with_input(
        covariance_path, standard_input, [&](std::istream& stream, const std::string& source) {
          input.covariance =
              read_covariance(stream, source, static_cast<Index>(input.mean.size()), memory_limit);
          reconcile_stddev(input, source);
        });
  }
  return input;
}

}  // namespace pomlux
