// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <chrono>     // time limit
#include <cmath>      // std::sqrt
#include <numbers>    // pi
#include <numeric>    // std::accumulate
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/joint_argmax.hpp>
#include <pomlux/estimators/ts_mc.hpp>

namespace pomlux {
namespace {

using Clock = std::chrono::steady_clock;
using Counts = std::vector<std::uint64_t>;

/// 1/2 sum_x E|estimate - p_x|, each estimate being normal to a good approximation.
double expected_total_variation(const Counts& counts, std::uint64_t samples) {
  const auto total = static_cast<double>(samples);
  double sum = 0.0;
  for (const std::uint64_t count : counts) {
    const double p = static_cast<double>(count) / total;
    sum += std::sqrt(p * (1.0 - p));
  }
  return 0.5 * sum * std::sqrt(2.0 / (std::numbers::pi * total));
}

/// Counts of the parts of the samples, one after the other; a single part without batches.
struct BatchCounts {
  std::vector<Counts> parts;
  BatchCounts(int batches, Index n)
      : parts(static_cast<std::size_t>(std::max(batches, 1)),
              Counts(static_cast<std::size_t>(n), 0)) {}
  void add(std::uint64_t sample, Index arm) {
    ++parts[sample % parts.size()][static_cast<std::size_t>(arm)];
  }
  [[nodiscard]] Counts total() const {
    Counts sum = parts.front();
    for (std::size_t part = 1; part < parts.size(); ++part) {
      for (std::size_t arm = 0; arm < sum.size(); ++arm) sum[arm] += parts[part][arm];
    }
    return sum;
  }
};

/// [n, b], a column for each part; there are at least as many samples as parts.
Matrix batch_probabilities(const BatchCounts& counts) {
  const auto n = static_cast<Index>(counts.parts.front().size());
  Matrix result(n, static_cast<Index>(counts.parts.size()));
  for (Index part = 0; part < result.cols(); ++part) {
    const Counts& own = counts.parts[static_cast<std::size_t>(part)];
    const auto samples = static_cast<double>(std::accumulate(own.begin(), own.end(), 0ULL));
    for (Index arm = 0; arm < n; ++arm) {
      result(arm, part) = static_cast<double>(own[static_cast<std::size_t>(arm)]) / samples;
    }
  }
  return result;
}

/// Draws samples [begin, end), both multiples of the chunk but for the very last.
void count_samples(const JointArgmax& sampler,
                   std::uint64_t key,
                   std::uint64_t begin,
                   std::uint64_t end,
                   BatchCounts& counts) {
  std::vector<Index> argmax(static_cast<std::size_t>(end - begin));
  parallel_for(
      static_cast<Index>(argmax.size()), JointArgmax::kChunk, [&](Index first, Index last) {
        sampler.draw(key,
                     begin + static_cast<std::uint64_t>(first),
                     std::span(argmax).subspan(static_cast<std::size_t>(first),
                                               static_cast<std::size_t>(last - first)));
      });
  for (std::size_t i = 0; i < argmax.size(); ++i) counts.add(begin + i, argmax[i]);
}

TsMcResult summarise_counts(Counts counts, std::uint64_t samples) {
  const auto total = static_cast<double>(samples);
  const auto n = static_cast<Index>(counts.size());
  TsMcResult result;
  result.pom.probabilities.resize(n);
  result.standard_errors.resize(n);
  double second = 0.0;
  Index seen = 0;
  for (Index i = 0; i < n; ++i) {
    const double p = static_cast<double>(counts[static_cast<std::size_t>(i)]) / total;
    result.pom.probabilities(i) = p;
    result.standard_errors(i) = std::sqrt(p * (1.0 - p) / total);
    if (p > 0.0) {
      ++seen;
      second += p * std::log(p) * std::log(p);
    }
  }
  result.entropy = result.pom.entropy();
  result.entropy_standard_error =
      std::sqrt(std::max(second - result.entropy * result.entropy, 0.0) / total);
  result.corrected_entropy =
      std::min(result.entropy + static_cast<double>(seen - 1) / (2.0 * total),
               std::log(static_cast<double>(n)));
  result.pom.samples = samples;
  result.pom.sampling_error = expected_total_variation(counts, samples);
  result.counts = std::move(counts);
  return result;
}

TsMcResult solve(const GaussianVector& f, Rng& rng, const TsMcOptions& options) {
  const Clock::time_point start = Clock::now();
  const std::uint64_t key = rng();
  const std::uint64_t wanted =
      options.alpha > 0.0 ? ts_mc_samples(options.alpha, f.size()) : options.samples;
  if (wanted < static_cast<std::uint64_t>(options.batches)) {
    fail("ts_mc",
         format_number(wanted) + " samples in " + std::to_string(options.batches) +
             " batches; must be at least one in each");
  }
  const JointArgmax sampler(f, options.precision, options.memory_limit);
  BatchCounts counts(options.batches, f.size());
  std::uint64_t done = 0;
  bool is_early = false;
  while (done < wanted && !is_early) {
    const std::uint64_t end = std::min(wanted, done + TsMcOptions::kTestEvery);
    count_samples(sampler, key, done, end, counts);
    done = end;
    const bool is_accurate = options.target_error > 0.0 &&
                             expected_total_variation(counts.total(), done) <= options.target_error;
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    const bool is_late =
        options.time_limit_seconds > 0.0 && elapsed.count() >= options.time_limit_seconds;
    is_early = is_accurate || is_late;
  }
  TsMcResult result = summarise_counts(counts.total(), done);
  if (options.batches > 1) result.pom.batches = batch_probabilities(counts);
  const bool is_target_missed =
      options.target_error > 0.0 && *result.pom.sampling_error > options.target_error;
  result.pom.status = is_target_missed ? Status::kIterationLimit : Status::kConverged;
  return result;
}

void require_nonnegative_option(std::string_view name, double value) {
  if (value >= 0.0 && std::isfinite(value)) return;
  fail("ts_mc", std::string(name) + " is " + format_number(value) + "; must be >= 0 and finite");
}

}  // namespace

void validate(const TsMcOptions& options) {
  if (options.samples < 1) fail("ts_mc", "samples is 0; must be >= 1");
  require_nonnegative_option("alpha", options.alpha);
  require_nonnegative_option("target_error", options.target_error);
  require_nonnegative_option("time_limit_seconds", options.time_limit_seconds);
  if (options.batches < 0 || options.batches > TsMcOptions::kMostBatches) {
    fail("ts_mc",
         "batches is " + std::to_string(options.batches) + "; must be in 0.." +
             std::to_string(TsMcOptions::kMostBatches));
  }
  if (!(options.memory_limit > 0.0)) {
    fail("ts_mc", "memory_limit is " + format_number(options.memory_limit) + "; must be > 0");
  }
}

double ts_mc_confidence(std::uint64_t samples, double delta) {
  if (samples < 1) fail("ts_mc_confidence", "samples is 0; must be >= 1");
  if (!(delta > 0.0 && delta < 1.0)) {
    fail("ts_mc_confidence", "delta is " + format_number(delta) + "; must be in (0, 1)");
  }
  return std::sqrt(std::log(2.0 / delta) / (2.0 * static_cast<double>(samples)));
}

std::uint64_t ts_mc_samples(double alpha, Index n) {
  constexpr double kMostSamples = 1e15;
  const double root = alpha * static_cast<double>(n);
  const double count = std::floor(root * root * (1.0 + 1e-12));
  if (!(count <= kMostSamples)) {
    fail("ts_mc",
         "alpha = " + format_number(alpha) + " means " + format_number(count) +
             " samples; must be <= " + format_number(kMostSamples));
  }
  return static_cast<std::uint64_t>(std::max(count, 1.0));
}

TsMc::TsMc(TsMcOptions options) : options_(options) { validate(options_); }

Pom TsMc::do_estimate(const GaussianVector& f, Rng& rng) const {
  return solve(f, rng, options_).pom;
}

TsMcResult ts_mc(const GaussianVector& f, Rng& rng, const TsMcOptions& options) {
  validate(options);
  require_marginals("ts_mc", f.mean(), f.stddev());
  return solve(f, rng, options);
}

}  // namespace pomlux
