// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>                 // std::size_t
#include <pomlux/core/format.hpp>  // numbers in messages
#include <pomlux/core/types.hpp>
#include <stdexcept>    // std::invalid_argument
#include <string>       // messages
#include <string_view>  // names of arguments

namespace pomlux {

/// The caller's mistake: a value out of range, sizes that differ, a file that cannot be read as
/// what it should be. The message names the argument (or file, line, column), the value found and
/// what is allowed.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A request that would allocate more than its limit; the message holds the estimate and a way out.
class MemoryLimitExceeded : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/// How a numerical computation ended. Part of every result that iterates; never an exception.
enum class Status {
  kConverged,         ///< the requested accuracy was reached
  kRoundingLimited,   ///< the best attainable in double precision, coarser than requested
  kIterationLimit,    ///< stopped at the iteration limit; the best iterate is returned
  kLineSearchFailed,  ///< the optimiser could not improve further; the best iterate is returned
  kFellBack,          ///< the primary method failed; the documented fallback was used
  kInaccurate,        ///< done, but the estimated error exceeds what was asked for
  kNotRun,            ///< nothing was to be computed (no data, fixed parameters)
};

/// "converged", "rounding_limited", ... as written in result files.
[[nodiscard]] std::string_view to_string(Status status);

/// Throws InvalidArgument("<where>: <message>").
[[noreturn]] void fail(std::string_view where, const std::string& message);

/// Throws unless every entry is finite; the message has the first bad index and its value.
void require_finite(std::string_view where, std::string_view name, const VectorRef& values);
/// Throws unless every entry is finite and >= 0.
void require_nonnegative(std::string_view where, std::string_view name, const VectorRef& values);
/// Throws unless the two sizes agree; the message has both.
void require_same_size(std::string_view where,
                       std::string_view name_a,
                       Index size_a,
                       std::string_view name_b,
                       Index size_b);

/// Largest single allocation quadratic in n that a call makes unless told otherwise, bytes.
inline constexpr double kDefaultMemoryLimit = 8e9;
/// Throws MemoryLimitExceeded if rows x columns doubles exceed `limit` bytes.
void require_memory(std::string_view where,
                    Index rows,
                    Index columns,
                    double limit = kDefaultMemoryLimit);

}  // namespace pomlux

/// Internal invariant; compiled in where POMLUX_CHECKED is defined (tests, the `checked` preset).
#ifdef POMLUX_CHECKED
#define POMLUX_ASSERT(condition) \
  ((condition) ? void(0) : ::pomlux::fail(__func__, "internal error: " #condition " does not hold"))
#else
#define POMLUX_ASSERT(condition) void(0)
#endif
