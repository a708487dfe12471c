// SPDX-License-Identifier: MIT
// The normal functions of core on one thread, beside a loop of std::erfc over the same values:
//   bench_normal --benchmark_repetitions=5
// Prints the median of each and, last, nanoseconds per value, the ratio to std::erfc and the goals.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <numbers>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/normal_kernels.hpp>
#include <pomlux/core/rng.hpp>
#include <string>
#include <utility>
#include <vector>

#include "medians.hpp"

namespace {

using namespace pomlux;
using detail::ArrayFunction;
using detail::ArrayFunction2;
using detail::NormalKernels;

constexpr std::size_t kValues = 10'000'000;

/// Arguments of one benchmark and room for its results; made once, shared by all.
struct Data {
  std::vector<double> central, tail, beyond, right, probabilities;
  std::vector<double> out, out_2;
};

Data& data() {
  static Data all = [] {
    Data d;
    Rng rng = make_stream(0, "normal_bench");
    for (std::vector<double>* v :
         {&d.central, &d.tail, &d.beyond, &d.right, &d.probabilities, &d.out, &d.out_2}) {
      v->resize(kValues);
    }
    for (double& x : d.central) x = 2.0 * draw_normal(rng);
    for (double& x : d.tail) x = -8.0 - 32.0 * draw_uniform(rng);
    for (double& x : d.beyond) x = -40.0 - 60.0 * draw_uniform(rng);
    for (double& x : d.right) x = 8.0 + 92.0 * draw_uniform(rng);
    for (double& u : d.probabilities) u = draw_uniform(rng);
    return d;
  }();
  return all;
}

using Input = std::vector<double> Data::*;

void run(const std::string& name, const std::function<void()>& body) {
  benchmark::RegisterBenchmark(name.c_str(), [body](benchmark::State& state) {
    body();  // first touch of the pages is not timed
    for (auto _ : state) {
      body();
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kValues));
  })->Unit(benchmark::kMillisecond);
}

void register_reference(const std::string& range, Input input) {
  run("erfc/" + range + "/std", [input] {
    const std::vector<double>& x = data().*input;
    std::vector<double>& out = data().out;
    for (std::size_t i = 0; i < kValues; ++i) {
      out[i] = 0.5 * std::erfc(-x[i] / std::numbers::sqrt2);
    }
  });
}

void register_function(const std::string& name,
                       const std::string& range,
                       Input input,
                       ArrayFunction NormalKernels::*member) {
  for (const Isa level : {Isa::kBaseline, Isa::kV3, Isa::kV4}) {
    if (!is_available(level)) continue;
    run(name + "/" + range + "/" + std::string(to_string(level)), [=] {
      (detail::normal_kernels(level).*member)((data().*input).data(), data().out.data(), kValues);
    });
  }
}

void register_function(const std::string& name,
                       const std::string& range,
                       Input input,
                       ArrayFunction2 NormalKernels::*member) {
  for (const Isa level : {Isa::kBaseline, Isa::kV3, Isa::kV4}) {
    if (!is_available(level)) continue;
    run(name + "/" + range + "/" + std::string(to_string(level)), [=] {
      (detail::normal_kernels(level).*member)(
          (data().*input).data(), data().out.data(), data().out_2.data(), kValues);
    });
  }
}

void register_all() {
  for (const auto& [range, input] :
       {std::pair<std::string, Input>{"normal_0_2", &Data::central}, {"-8..-40", &Data::tail}}) {
    register_reference(range, input);
    register_function("cdf", range, input, &NormalKernels::cdf);
    register_function("cdf_and_pdf", range, input, &NormalKernels::cdf_and_pdf);
    register_function("log_cdf", range, input, &NormalKernels::log_cdf);
    register_function("reverse_hazard", range, input, &NormalKernels::reverse_hazard);
    register_function("vapor", range, input, &NormalKernels::vapor);
    register_function("vapor_complement", range, input, &NormalKernels::vapor_complement);
    register_function("log_vapor", range, input, &NormalKernels::log_vapor);
    register_function("exponential", range, input, &NormalKernels::exponential);
  }
  register_function("cdf", "-40..-100", &Data::beyond, &NormalKernels::cdf);
  register_function("cdf", "8..100", &Data::right, &NormalKernels::cdf);
  register_function("quantile", "uniform", &Data::probabilities, &NormalKernels::quantile);
}

/// Phi against std::erfc, and its slowest range of arguments against its fastest. The baseline,
/// with two values per instruction and no fused multiply-add, has no goals.
bool check_goals(const std::map<std::string, double>& seconds) {
  bool are_met = true;
  for (const Isa level : {Isa::kV3, Isa::kV4}) {
    std::string suffix = "/";
    suffix += to_string(level);
    double fastest = kInfinity, slowest = 0.0;
    for (const std::string range : {"normal_0_2", "-8..-40", "-40..-100", "8..100"}) {
      const auto own = seconds.find("cdf/" + range + suffix);
      if (own == seconds.end()) continue;
      fastest = std::min(fastest, own->second);
      slowest = std::max(slowest, own->second);
      const auto reference = seconds.find("erfc/" + range + "/std");
      if (reference == seconds.end()) continue;
      are_met &= test::meets_goal(own->first + " over erfc", reference->second / own->second, 8.0);
    }
    if (slowest > 0.0) {
      are_met &= test::meets_goal("cdf" + suffix + " fastest range", fastest / slowest, 1.0 / 3.0);
    }
  }
  return are_met;
}

bool report(const test::Results& results) {
  const std::map<std::string, double>& seconds = results.median;
  constexpr double kToNanoseconds = 1e9 / static_cast<double>(kValues);
  std::printf("\n%-40s %10s %10s\n", "median, one thread", "ns/value", "erfc ratio");
  for (const auto& [name, time] : seconds) {
    const bool is_tail = name.find("/-8..-40/") != std::string::npos;
    const auto reference = seconds.find(is_tail ? "erfc/-8..-40/std" : "erfc/normal_0_2/std");
    std::printf("%-40s %10.3f", name.c_str(), time * kToNanoseconds);
    if (reference != seconds.end()) std::printf(" %10.2f", reference->second / time);
    std::printf("\n");
  }
  return check_goals(results.best);
}

}  // namespace

int main(int argc, char** argv) {
  register_all();
  return test::run_benchmarks(argc, argv, report);
}
