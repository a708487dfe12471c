// SPDX-License-Identifier: MIT
#pragma once
// The console output of Google Benchmark, and the medians to make tables of.

#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pomlux::test {

/// Remembers the median, or the only time, of each benchmark.
class MedianReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const bool is_median = run.aggregate_name == "median";
      const bool is_single = run.run_type == Run::RT_Iteration && run.repetitions == 1;
      if (is_median || is_single) {
        seconds_[run.run_name.function_name] =
            run.GetAdjustedRealTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
      }
    }
    ConsoleReporter::ReportRuns(runs);
  }

  /// Wall seconds of one iteration, by name of the benchmark.
  [[nodiscard]] const std::map<std::string, double>& seconds() const { return seconds_; }

 private:
  std::map<std::string, double> seconds_;
};

/// What a benchmark's main does: runs what is registered, then prints a table of the medians.
inline int run_benchmarks(int argc,
                          char** argv,
                          const std::function<void(const std::map<std::string, double>&)>& print) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print(reporter.seconds());
  return 0;
}

}  // namespace pomlux::test
