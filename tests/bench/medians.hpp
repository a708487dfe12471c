// SPDX-License-Identifier: MIT
#pragma once
// The console output of Google Benchmark, the medians to make tables of, and goals.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pomlux::test {

/// By name of the benchmark: wall seconds of one iteration in the median, its processor seconds (of
/// the calling thread) at best, and the counters.
struct Results {
  std::map<std::string, double> median, best;
  std::map<std::string, benchmark::UserCounters> counters;
};

/// Remembers the results of each benchmark, of its repetitions or of the only run.
class MedianReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const std::string& name = run.run_name.function_name;
      const double seconds =
          run.GetAdjustedRealTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
      const bool is_single = run.run_type == Run::RT_Iteration && run.repetitions == 1;
      if (run.aggregate_name == "median" || is_single) results_.median[name] = seconds;
      if (run.run_type == Run::RT_Iteration) {
        const double busy =
            run.GetAdjustedCPUTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
        const auto best = results_.best.emplace(name, busy).first;
        best->second = std::min(best->second, busy);
        results_.counters[name] = run.counters;
      }
    }
    ConsoleReporter::ReportRuns(runs);
  }

  [[nodiscard]] const Results& results() const { return results_; }

 private:
  Results results_;
};

/// Prints whether `measured` is at least `goal`, and returns that.
///
/// Goals are ratios of two best processor times of one run, for one thread, so that neither the
/// machine nor what else it does decides. They ask for at most about 0.75 of what is measured.
inline bool meets_goal(const std::string& name, double measured, double goal) {
  const bool is_met = measured >= goal;
  std::printf("%s %s %.2f %.2f\n", is_met ? "PASS" : "FAIL", name.c_str(), measured, goal);
  return is_met;
}

/// What a benchmark's main does: runs what is registered, then has `report` print a table and check
/// the goals. 1 if one of them is missed.
inline int run_benchmarks(int argc,
                          char** argv,
                          const std::function<bool(const Results&)>& report) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return report(reporter.results()) ? 0 : 1;
}

}  // namespace pomlux::test
