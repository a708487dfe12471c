// SPDX-License-Identifier: MIT
// The estimators on the arms of the paper's synthetic experiment, mean ~ U[0, 5] and
// stddev ~ U[0.5, 10], beside the paper's algorithms as printed and its published times:
//   bench_estimators --benchmark_repetitions=5
//   bench_estimators --benchmark_filter=f_lite
// Prints, last, the median of each, its ratio to what it is compared with, and the goals. One
// thread unless the name says otherwise.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/core/rng.hpp>
#include <pomlux/estimators/a_lite.hpp>
#include <pomlux/estimators/est.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/joint_argmax.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <pomlux/estimators/vapor.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <pomlux/objectives/test_function.hpp>
#include <string>
#include <vector>

#include "medians.hpp"

namespace {

using namespace pomlux;

/// alpha of the paper's timings: epsilon = 1 / (100 n).
constexpr double kAlpha = 100.0;

struct Arms {
  Vector mean, stddev;
};

const Arms& arms(Index n) {
  static std::map<Index, Arms> made;
  Arms& result = made[n];
  if (result.mean.size() == 0) {
    Rng rng = make_stream(0, "estimators_bench", static_cast<std::uint64_t>(n));
    result.mean = Vector::NullaryExpr(n, [&] { return 5.0 * draw_uniform(rng); });
    result.stddev = Vector::NullaryExpr(n, [&] { return 0.5 + 9.5 * draw_uniform(rng); });
  }
  return result;
}

/// What a row of the last table compares: benchmarks by name, or a published time in seconds; and
/// how many times as fast as the other one it must be.
struct Comparison {
  std::string name;
  std::string other;
  double published = 0.0;
  double goal = 0.0;
};
/// Passes over the arms that Newton's method may take.
constexpr double kMostPasses = 8.0;
std::vector<Comparison>& comparisons() {
  static std::vector<Comparison> all;
  return all;
}

using Estimate = std::function<Pom(const Arms&)>;

benchmark::internal::Benchmark* time_estimate(const std::string& name,
                                              Index n,
                                              int threads,
                                              const Estimate& estimate) {
  return benchmark::RegisterBenchmark(
             name.c_str(),
             [=](benchmark::State& state) {
               const Arms& input = arms(n);
               Pom pom;
               with_threads(threads, [&] {
                 pom = estimate(input);  // first touch of the pages is not timed
                 for (auto _ : state) pom = estimate(input);
               });
               state.counters["passes"] = pom.iterations;
               state.counters["error"] = pom.numerical_error.value_or(0.0);
             })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

template <typename Options>
Estimate with(Pom (*function)(const VectorRef&, const VectorRef&, const Options&),
              const Options& options) {
  return [=](const Arms& input) { return function(input.mean, input.stddev, options); };
}

void register_threshold_estimators() {
  for (const auto& [n, size] :
       {std::pair<Index, std::string>{1'000'000, "/1e6"}, {10'000'000, "/1e7"}}) {
    const Estimate newton = with(f_lite, FLiteOptions{.alpha = kAlpha});
    time_estimate("f_lite" + size, n, 1, newton);
    time_estimate("f_lite" + size + "/threads:2", n, 2, newton);
    time_estimate("f_lite_bisection" + size,
                  n,
                  1,
                  with(f_lite, FLiteOptions{.alpha = kAlpha, .root = RootMethod::kBisection}));
    time_estimate("vapor" + size, n, 1, with(vapor, VaporOptions{.alpha = kAlpha}));
    time_estimate("vapor_bisection" + size,
                  n,
                  1,
                  with(vapor, VaporOptions{.alpha = kAlpha, .root = RootMethod::kBisection}));
    time_estimate("vapor" + size + "/threads:2", n, 2, with(vapor, VaporOptions{.alpha = kAlpha}));
    comparisons().push_back({"f_lite" + size, "f_lite_bisection" + size, 0.0, 4.0});
    comparisons().push_back({"f_lite" + size + "/threads:2", "f_lite" + size});
    comparisons().push_back({"vapor" + size, "vapor_bisection" + size, 0.0, 4.0});
    comparisons().push_back({"vapor" + size, "f_lite" + size, 0.0, 0.75});
    comparisons().push_back({"vapor" + size + "/threads:2", "vapor" + size});
  }
  time_estimate("f_lite/65536", 65'536, 1, with(f_lite, FLiteOptions{.alpha = kAlpha}));
  comparisons().push_back({"f_lite/65536", "", 6.9e-3});
}

void register_other_estimators() {
  time_estimate("a_lite/65536", 65'536, 1, with(a_lite, ALiteOptions{.alpha = kAlpha}));
  comparisons().push_back({"a_lite/65536", "", 0.122});
  time_estimate("a_lite_bisection/65536",
                65'536,
                1,
                with(a_lite, ALiteOptions{.alpha = kAlpha, .root = RootMethod::kBisection}))
      ->Iterations(1);
  comparisons().push_back({"a_lite/65536", "a_lite_bisection/65536", 0.0, 40.0});
  time_estimate(
      "independence/65536", 65'536, 1, with(independence, IndependenceOptions{.epsilon = 1e-10}));
  time_estimate("independence_guaranteed/65536/epsilon:0.01",
                65'536,
                1,
                with(independence,
                     IndependenceOptions{.epsilon = 0.01, .quadrature = Quadrature::kGuaranteed}))
      ->Iterations(1);
  comparisons().push_back(
      {"independence/65536", "independence_guaranteed/65536/epsilon:0.01", 0.0, 15.0});
  comparisons().push_back({"independence/65536", "", 171.0});
  time_estimate(
      "independence/1e6", 1'000'000, 1, with(independence, IndependenceOptions{.epsilon = 1e-10}))
      ->Iterations(1);
  time_estimate("est/16384", 16'384, 1, with(est, EstOptions{.alpha = kAlpha}));
  comparisons().push_back({"est/16384", "", 37.0});
  time_estimate("independence_guaranteed/16384/epsilon:0.01",
                16'384,
                1,
                with(independence,
                     IndependenceOptions{.epsilon = 0.01, .quadrature = Quadrature::kGuaranteed}))
      ->Iterations(1);
  comparisons().push_back({"est/16384", "independence_guaranteed/16384/epsilon:0.01", 0.0, 20.0});
}

/// The posterior of the drop-wave function on its 25 x 25 grid after 60 observations.
class DropWavePosterior {
 public:
  DropWavePosterior()
      : domain_(Domain::grid(Vector::Constant(2, -5.12), Vector::Constant(2, 5.12), kCounts)),
        gp_(2,
            make_kernel(KernelType::kMatern52, Vector::Constant(1, 0.8), 0.3),
            {.noise_stddev = 0.1}) {
    const TestFunction drop_wave("drop_wave");
    Rng rng = make_stream(0, "estimators_bench");
    for (int i = 0; i < 60; ++i) {
      const Point at = domain_.point(draw_index(rng, domain_.size()));
      gp_.add(at, drop_wave.value(at) + 0.1 * draw_normal(rng));
    }
  }
  const GaussianVector& get() { return gp_.posterior(domain_); }

 private:
  static constexpr std::array<Index, 2> kCounts = {25, 25};
  Domain domain_;
  GaussianProcess gp_;
};

template <typename Scalar>
void multiply_with_eigen(benchmark::State& state) {
  using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  const Dense a = Dense::Random(625, 625);
  const Dense b = Dense::Random(625, JointArgmax::kChunk);
  Dense product(625, JointArgmax::kChunk);
  for (auto _ : state) {
    product.noalias() = a.transpose() * b;
    benchmark::ClobberMemory();
  }
}

template <typename Scalar>
void multiply_packed(benchmark::State& state) {
  const PackedMatrix<Scalar> a(Matrix::Random(625, 625));
  const std::vector<Scalar> b(static_cast<std::size_t>(625 * JointArgmax::kChunk), Scalar(0.5));
  std::vector<Scalar> product(static_cast<std::size_t>(a.padded_cols() * JointArgmax::kChunk));
  for (auto _ : state) {
    a.transpose_multiply(b, JointArgmax::kChunk, product);
    benchmark::ClobberMemory();
  }
}

void draw_normals_in_order(benchmark::State& state) {
  PackedColumns<float> columns(625, JointArgmax::kChunk);
  std::uint64_t first = 0;
  for (auto _ : state) {
    fill_normals(1, "estimators_bench", first, columns);
    first += std::uint64_t{JointArgmax::kChunk};
    benchmark::ClobberMemory();
  }
}

void draw_normals_by_boost(benchmark::State& state) {
  Rng rng = make_stream(1, "estimators_bench");
  for (auto _ : state) {
    benchmark::DoNotOptimize(draw_normals(rng, 625 * JointArgmax::kChunk).data());
  }
}

/// Each iteration is one chunk of samples.
void register_sampling() {
  benchmark::RegisterBenchmark("normals_in_order", draw_normals_in_order);
  benchmark::RegisterBenchmark("normals_boost", draw_normals_by_boost);
  comparisons().push_back({"normals_in_order", "normals_boost"});
  for (const auto& [precision, name] : {std::pair{SamplePrecision::kSingle, "ts_mc_single"},
                                        {SamplePrecision::kDouble, "ts_mc_double"}}) {
    benchmark::RegisterBenchmark(name, [precision = precision](benchmark::State& state) {
      DropWavePosterior posterior;
      const JointArgmax sampler(posterior.get(), precision, kDefaultMemoryLimit);
      std::array<Index, JointArgmax::kChunk> argmax{};
      std::uint64_t first = 0;
      for (auto _ : state) {
        sampler.draw(1, first, argmax);
        first += JointArgmax::kChunk;
      }
      state.SetItemsProcessed(state.iterations() * JointArgmax::kChunk);
    });
  }
  benchmark::RegisterBenchmark("product_eigen_single", multiply_with_eigen<float>);
  benchmark::RegisterBenchmark("product_eigen_double", multiply_with_eigen<double>);
  benchmark::RegisterBenchmark("product_packed_single", multiply_packed<float>);
  benchmark::RegisterBenchmark("product_packed_double", multiply_packed<double>);
  comparisons().push_back({"ts_mc_single", "product_eigen_single"});
  comparisons().push_back({"ts_mc_double", "product_eigen_double"});
  // Rate of the whole estimate over that of the product within it.
  comparisons().push_back({"ts_mc_single", "product_packed_single"});
  comparisons().push_back({"ts_mc_double", "product_packed_double"});
  comparisons().push_back({"product_packed_single", "product_eigen_single"});
  comparisons().push_back({"product_packed_double", "product_eigen_double"});
  // The paper's ground truth of a drop-wave posterior: 39 062 500 samples.
  benchmark::RegisterBenchmark(
      "ts_mc/alpha:10/threads:2",
      [](benchmark::State& state) {
        DropWavePosterior posterior;
        const GaussianVector& f = posterior.get();
        Rng rng = make_stream(1, "estimators_bench");
        with_threads(2, [&] {
          for (auto _ : state) {
            benchmark::DoNotOptimize(ts_mc(f, rng, {.alpha = 10.0}).pom.probabilities.data());
          }
        });
      })
      ->Iterations(1)
      ->Repetitions(1)
      ->UseRealTime()
      ->Unit(benchmark::kSecond);
  comparisons().push_back({"ts_mc/alpha:10/threads:2", "", 915.0});
}

bool check_goals(const test::Results& results) {
  bool are_met = true;
  for (const Comparison& row : comparisons()) {
    const auto own = results.best.find(row.name);
    const auto other = results.best.find(row.other);
    if (row.goal == 0.0 || own == results.best.end() || other == results.best.end()) continue;
    are_met &=
        test::meets_goal(row.name + " over " + row.other, other->second / own->second, row.goal);
  }
  for (const std::string name : {"f_lite/1e6", "f_lite/1e7"}) {
    const auto run = results.counters.find(name);
    if (run == results.counters.end()) continue;
    are_met &= test::meets_goal(
        name + " passes, most over taken", kMostPasses / run->second.at("passes").value, 1.0);
  }
  return are_met;
}

bool report(const test::Results& results) {
  const std::map<std::string, double>& seconds = results.median;
  std::printf("\nlevel %s\n%-32s %12s   %-32s %12s %8s\n",
              std::string(active_isa()).c_str(),
              "median",
              "ms",
              "compared with",
              "ms",
              "ratio");
  for (const Comparison& row : comparisons()) {
    const auto own = seconds.find(row.name);
    const auto other = seconds.find(row.other);
    const double reference = other != seconds.end() ? other->second : row.published;
    if (own == seconds.end() || reference == 0.0) continue;
    std::printf("%-32s %12.4f   %-32s %12.4f %8.2f\n",
                row.name.c_str(),
                1e3 * own->second,
                row.other.empty() ? "the paper, TITAN RTX" : row.other.c_str(),
                1e3 * reference,
                reference / own->second);
  }
  return check_goals(results);
}

}  // namespace

int main(int argc, char** argv) {
  register_threshold_estimators();
  register_other_estimators();
  register_sampling();
  return test::run_benchmarks(argc, argv, report);
}
