// SPDX-License-Identifier: MIT
// Flights of the quadcopter on one thread, and its nominal controls:
//   bench_quadcopter --benchmark_repetitions=5
// Prints, last, the goals.
#include <benchmark/benchmark.h>

#include <pomlux/core/domain.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/objectives/quadcopter.hpp>
#include <vector>

#include "medians.hpp"

namespace {

using namespace pomlux;

/// Ten instances of 400 points, as in the paper: of 4000 flights about one in eight fails.
constexpr int kInstances = 10;
constexpr Index kPoints = 400;

void fly(benchmark::State& state) {
  std::vector<Quadcopter> objectives;
  std::vector<Points> gains;
  for (std::uint64_t seed = 0; seed < kInstances; ++seed) {
    objectives.emplace_back(draw_quadcopter_disturbance(seed));
    Rng rng = make_stream(seed, "quadcopter_bench");
    gains.push_back(
        Domain::random(Vector::Zero(4), Vector::Constant(4, 20.0), kPoints, rng).points());
  }
  with_threads(1, [&] {
    for (auto _ : state) {
      for (std::size_t i = 0; i < kInstances; ++i) {
        benchmark::DoNotOptimize(objectives[i].true_values(gains[i]));
      }
    }
  });
  state.SetItemsProcessed(state.iterations() * kInstances * kPoints);
}
BENCHMARK(fly)->Unit(benchmark::kMillisecond);

void find_controls(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(quadcopter::find_nominal_controls());
}
BENCHMARK(find_controls)->Unit(benchmark::kMillisecond);

// Goals in seconds, unlike those of the other benchmarks: there is nothing to compare with. They
// leave room for a machine three times slower than the one they were set on.
bool check_goals(const test::Results& results) {
  bool are_met = true;
  const auto check = [&](const std::string& name, double seconds) {
    const auto found = results.best.find(name);
    if (found == results.best.end()) return;
    are_met &= test::meets_goal(name + " per second", 1.0 / found->second, 1.0 / seconds);
  };
  check("fly", 0.1);  // 25 microseconds per flight
  check("find_controls", 0.02);
  return are_met;
}

}  // namespace

int main(int argc, char** argv) { return test::run_benchmarks(argc, argv, check_goals); }
