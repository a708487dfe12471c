// SPDX-License-Identifier: MIT
#include <array>  // units
#include <cmath>  // std::isfinite
#include <pomlux/core/errors.hpp>

namespace pomlux {
namespace {

[[noreturn]] void fail_entry(std::string_view where,
                             std::string_view name,
                             Index index,
                             double value,
                             std::string_view allowed) {
  fail(where,
       std::string(name) + "[" + format_number(index) + "] is " + format_number(value) +
           "; every entry must be " + std::string(allowed));
}

/// "2.98 GB", three significant digits.
std::string format_bytes(double bytes) {
  constexpr std::array<std::string_view, 5> units = {" B", " kB", " MB", " GB", " TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000.0;
    ++unit;
  }
  const double step = bytes >= 100.0 ? 1.0 : bytes >= 10.0 ? 10.0 : 100.0;
  return format_number(std::round(bytes * step) / step) + std::string(units[unit]);
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::kConverged:
      return "converged";
    case Status::kRoundingLimited:
      return "rounding_limited";
    case Status::kIterationLimit:
      return "iteration_limit";
    case Status::kLineSearchFailed:
      return "line_search_failed";
    case Status::kFellBack:
      return "fell_back";
    case Status::kInaccurate:
      return "inaccurate";
    case Status::kNotRun:
      return "not_run";
  }
  return "unknown";
}

void fail(std::string_view where, const std::string& message) {
  throw InvalidArgument(std::string(where) + ": " + message);
}

void require_finite(std::string_view where, std::string_view name, const VectorRef& values) {
  for (Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values(i))) fail_entry(where, name, i, values(i), "finite");
  }
}

void require_nonnegative(std::string_view where, std::string_view name, const VectorRef& values) {
  for (Index i = 0; i < values.size(); ++i) {
    if (!(std::isfinite(values(i)) && values(i) >= 0.0)) {
      fail_entry(where, name, i, values(i), ">= 0 and finite");
    }
  }
}

void require_same_size(std::string_view where,
                       std::string_view name_a,
                       Index size_a,
                       std::string_view name_b,
                       Index size_b) {
  if (size_a == size_b) return;
  fail(where,
       std::string(name_a) + " has size " + format_number(size_a) + ", " + std::string(name_b) +
           " has size " + format_number(size_b) + "; they must agree");
}

void require_memory(std::string_view where, Index rows, Index columns, double limit) {
  const double bytes = static_cast<double>(rows) * static_cast<double>(columns) * sizeof(double);
  if (bytes <= limit) return;
  throw MemoryLimitExceeded(std::string(where) + ": would allocate " + format_number(rows) + " x " +
                            format_number(columns) + " numbers (" + format_bytes(bytes) +
                            "), more than the limit of " + format_bytes(limit) +
                            "; use fewer candidates or observations, or raise the limit");
}

}  // namespace pomlux
