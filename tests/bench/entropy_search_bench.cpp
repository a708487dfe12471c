// SPDX-License-Identifier: MIT
// Entropy search, wall time on all cores:
//   bench_entropy_search        prints a table and, for each goal, PASS or FAIL; exit 1 on FAIL
// run/...: the paper's experiment (250 points of a squared-exponential sample path, length scale
// 0.02, noise 0.2, 50 observations), posterior and scores of all its steps. step/...: the scores of
// one step of the same model with 50 observations, other numbers of points and the same density of
// correlation.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <pomlux/acquisition/entropy_search.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/normal.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/ts_mc.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <string>
#include <vector>

#include "medians.hpp"

namespace {

using namespace pomlux;

constexpr double kNoise = 0.2;

std::unique_ptr<GaussianProcess> make_model(double length_scale = 0.02) {
  return std::make_unique<GaussianProcess>(
      1,
      make_kernel(KernelType::kSquaredExponential, Vector::Constant(1, length_scale), 1.0),
      GaussianProcessOptions{.noise_stddev = kNoise});
}

Domain line_of(Index n) {
  const double last = static_cast<double>(n - 1) / static_cast<double>(n);
  return Domain::grid(Vector::Zero(1), Vector::Constant(1, last), std::vector<Index>{n});
}

using MakeRule = std::function<std::unique_ptr<Acquisition>()>;

MakeRule rule_of(std::function<std::unique_ptr<PomEstimator>()> estimator,
                 EntropySearchOptions options) {
  return [estimator = std::move(estimator), options] {
    return std::make_unique<EntropySearch>(estimator(), options);
  };
}

std::unique_ptr<PomEstimator> paper_f_lite() {
  return std::make_unique<FLite>(FLiteOptions{.alpha = 10.0});
}
std::unique_ptr<PomEstimator> paper_ts_mc() {
  return std::make_unique<TsMc>(TsMcOptions{.samples = 100});
}
std::unique_ptr<PomEstimator> exact_f_lite() { return std::make_unique<FLite>(); }

/// A new sample path and noise in every iteration.
void run_all(benchmark::State& state, const MakeRule& make_rule) {
  const Domain domain = line_of(250);
  std::uint64_t seed = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Rng rng = make_stream(++seed, "entropy_search_bench");
    const Vector truth = make_model()->sample(domain.points(), 1, rng);
    state.ResumeTiming();
    Optimizer optimizer(
        domain,
        make_model(),
        make_rule(),
        {.seed = seed, .initial_candidates = {125}, .repeats = true, .fit_every = 0});
    for (int i = 0; i < 50; ++i) {
      const auto suggestion = optimizer.ask();
      optimizer.tell(*suggestion, truth(suggestion->candidate) + kNoise * draw_normal(rng));
    }
  }
}

void score_once(benchmark::State& state, Index n, const MakeRule& make_rule) {
  const Domain domain = line_of(n);
  const std::unique_ptr<GaussianProcess> gp = make_model(5.0 / static_cast<double>(n));
  Rng rng = make_stream(1, "entropy_search_bench");
  for (int i = 0; i < 50; ++i) gp->add(domain.point(draw_index(rng, n)), draw_normal(rng));
  const std::unique_ptr<Acquisition> rule = make_rule();
  const GaussianVector& f = gp->posterior(domain);
  for (auto _ : state) {
    benchmark::DoNotOptimize(rule->score({f, std::nullopt, f.mean().maxCoeff(), kNoise, 1}, rng));
  }
}

double peak_memory_mib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kib = 0.0;
  while (status >> word) {
    if (word == "VmHWM:") status >> kib;
  }
  return kib / 1024.0;
}

bool report(const test::Results& results) {
  bool is_met = true;
  const auto check = [&](const std::string& name, double goal) {
    const auto found = results.median.find(name);
    if (found == results.median.end()) return;
    is_met = test::meets_goal(name + ": goal over measured seconds", goal / found->second, 1.0) &&
             is_met;
  };
  std::printf("level %s\n", std::string(active_isa()).c_str());
  check("run/f_lite", 1.0);
  check("run/ts_mc_100", 8.0);
  check("step/f_lite/2000", 2.0);
  check("step/f_lite/10000", 60.0);
  const double memory = peak_memory_mib();
  std::printf("peak memory %.0f MiB\n", memory);
  return test::meets_goal("goal over peak memory", 1000.0 / memory, 1.0) && is_met;
}

}  // namespace

int main(int argc, char** argv) {
  const EntropySearchOptions paper{.hypotheses = HypothesisRule::kDraws, .draws = 5};
  const auto add = [](const std::string& name, auto body) {
    benchmark::RegisterBenchmark(name.c_str(), body)->UseRealTime()->Unit(benchmark::kMillisecond);
  };
  const auto add_run = [&](const std::string& name, const MakeRule& rule) {
    add(name, [rule](benchmark::State& state) { run_all(state, rule); });
  };
  const auto add_step = [&](const std::string& name, Index n, const MakeRule& rule) {
    add(name, [n, rule](benchmark::State& state) { score_once(state, n, rule); });
  };
  add_run("run/f_lite", rule_of(paper_f_lite, paper));
  add_run("run/f_lite_quadrature", rule_of(exact_f_lite, {}));
  add_run("run/ts_mc_100", rule_of(paper_ts_mc, paper));
  for (const Index n :
       {Index{250}, Index{500}, Index{1000}, Index{2000}, Index{5000}, Index{10000}}) {
    add_step("step/f_lite_draws/" + std::to_string(n), n, rule_of(paper_f_lite, paper));
    add_step("step/f_lite/" + std::to_string(n), n, rule_of(exact_f_lite, {}));
  }
  return test::run_benchmarks(argc, argv, report);
}
