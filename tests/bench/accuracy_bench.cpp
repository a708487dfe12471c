// SPDX-License-Identifier: MIT
// How far the estimators are from the probabilities of independent arms, and what they cost, on the
// paper's synthetic distribution: mean ~ U[0, 5], stddev ~ U[0.5, 10].
//   bench_accuracy table   Table 1, "synthetic": total variation in percent, 20 seeds, 37 sizes
//   bench_accuracy time    total variation and seconds for 10 to 10^6 arms, as CSV
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <pomlux/core/gaussian_vector.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/estimators/a_lite.hpp>
#include <pomlux/estimators/est.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <pomlux/estimators/vapor.hpp>
#include <pomlux/objectives/synthetic.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace pomlux;

using Arms = IndependentGaussian;

constexpr SyntheticRanges kRanges{0.0, 5.0, 0.5, 10.0};

struct Candidate {
  std::string name;
  std::function<Pom(const Arms&)> estimate;
  Index largest;  ///< arms beyond which it takes too long for a table
};

/// With the accuracy 1 / (alpha n) of the paper's experiments.
std::vector<Candidate> closed_forms(double alpha) {
  constexpr Index kAny = 1 << 30;
  return {
      {"est", [=](const Arms& a) { return est(a.mean(), a.stddev(), {.alpha = alpha}); }, kAny},
      {"vapor", [=](const Arms& a) { return vapor(a.mean(), a.stddev(), {.alpha = alpha}); }, kAny},
      {"f_lite",
       [=](const Arms& a) { return f_lite(a.mean(), a.stddev(), {.alpha = alpha}); },
       kAny},
      {"a_lite",
       [=](const Arms& a) { return a_lite(a.mean(), a.stddev(), {.alpha = alpha}); },
       kAny}};
}

Pom reference(const Arms& arms, double epsilon) {
  return independence(arms.mean(), arms.stddev(), {.epsilon = epsilon});
}

/// 37 distinct values of floor(2^e) for 40 equispaced exponents e from 1 to log2(2000).
std::vector<Index> paper_sizes() {
  std::vector<Index> sizes;
  for (int i = 0; i < 40; ++i) {
    const double exponent = 1.0 + (std::log2(2000.0) - 1.0) * i / 39.0;
    const auto size = static_cast<Index>(std::floor(std::exp2(exponent) * (1.0 + 1e-12)));
    if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
  }
  return sizes;
}

int print_table() {
  constexpr int kSeeds = 20;
  constexpr double kAlpha = 200.0;
  const std::vector<Candidate> candidates = closed_forms(kAlpha);
  const std::vector<Index> sizes = paper_sizes();
  Matrix averages = Matrix::Zero(kSeeds, static_cast<Index>(candidates.size()));
  for (int seed = 0; seed < kSeeds; ++seed) {
    for (const Index n : sizes) {
      const Arms arms = draw_synthetic(kRanges, n, static_cast<std::uint64_t>(seed));
      const Pom truth = reference(arms, 1.0 / (kAlpha * static_cast<double>(n)));
      for (std::size_t k = 0; k < candidates.size(); ++k) {
        averages(seed, static_cast<Index>(k)) +=
            candidates[k].estimate(arms).total_variation(truth) / static_cast<double>(sizes.size());
      }
    }
  }
  std::printf(
      "total variation to independence, percent; %d seeds, %zu sizes\n", kSeeds, sizes.size());
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const auto column = averages.col(static_cast<Index>(k));
    const double mean = column.mean();
    const double variance = (column.array() - mean).square().sum() / (kSeeds - 1);
    std::printf("%-8s %6.2f +- %.2f\n",
                candidates[k].name.c_str(),
                100.0 * mean,
                100.0 * std::sqrt(variance / kSeeds));
  }
  return 0;
}

double median_seconds(const std::function<void()>& body) {
  std::vector<double> seconds;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    body();
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + 2, seconds.end());
  return seconds[2];
}

int print_times() {
  std::vector<Candidate> candidates = closed_forms(100.0);
  candidates.push_back({"independence", [](const Arms& a) { return reference(a, 1e-6); }, 1 << 30});
  for (const auto& [samples, largest] :
       {std::pair<std::uint64_t, Index>{1000, 1'000'000}, {100'000, 10'000}}) {
    candidates.push_back({"ts_mc_" + std::to_string(samples),
                          [samples = samples](const Arms& a) {
                            Rng rng = make_stream(0, "bench_accuracy");
                            return ts_mc(a, rng, {.samples = samples}).pom;
                          },
                          largest});
  }
  std::printf("n,estimator,seconds,total_variation\n");
  for (Index n = 10; n <= 1'000'000; n *= 10) {
    const Arms arms = draw_synthetic(kRanges, n, 0);
    const Pom truth = reference(arms, 1e-12);
    for (const Candidate& candidate : candidates) {
      if (n > candidate.largest) continue;
      Pom pom;
      const double seconds = median_seconds([&] { pom = candidate.estimate(arms); });
      std::printf(
          "%td,%s,%.3g,%.3g\n", n, candidate.name.c_str(), seconds, pom.total_variation(truth));
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int code = 2;
  with_threads(1, [&] {
    if (argc == 2 && std::strcmp(argv[1], "table") == 0) code = print_table();
    if (argc == 2 && std::strcmp(argv[1], "time") == 0) code = print_times();
  });
  if (code == 2) std::fprintf(stderr, "usage: bench_accuracy table|time\n");
  return code;
}
