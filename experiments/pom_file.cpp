// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/pom_file.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

/// Average total variation to the batches of the truth; nothing without batches.
std::optional<double> batch_distance(const Pom& pom, const Pom& truth) {
  const Index batches = truth.batches.cols();
  if (batches == 0) return std::nullopt;
  double sum = 0.0;
  for (Index k = 0; k < batches; ++k) {
    sum += total_variation(pom.probabilities, truth.batches.col(k));
  }
  return sum / static_cast<double>(batches);
}

}  // namespace

const PomRecord* find_record(const std::vector<PomRecord>& poms, const std::string& name) {
  for (const PomRecord& record : poms) {
    if (record.estimator == name) return &record;
  }
  return nullptr;
}

PomFile::PomFile(const std::filesystem::path& path,
                 std::optional<std::string> truth,
                 std::uintmax_t kept)
    : truth_(std::move(truth)),
      file_(path,
            {"step",
             "estimator",
             "entropy",
             "tv",
             "tv_batch",
             "relative_entropy_error",
             "numerical_error",
             "sampling_error",
             "model_error",
             "iterations",
             "status",
             "estimate_seconds"},
            kept) {}

void PomFile::append(Index step, const std::vector<PomRecord>& poms) {
  const PomRecord* truth = truth_ ? find_record(poms, *truth_) : nullptr;
  for (const PomRecord& one : poms) {
    const double entropy = one.pom.entropy();
    std::optional<double> tv;
    std::optional<double> tv_batch;
    std::optional<double> relative_error;
    if (truth != nullptr && truth != &one) {
      const double true_entropy = truth->pom.entropy();
      tv = one.pom.total_variation(truth->pom);
      tv_batch = batch_distance(one.pom, truth->pom);
      if (true_entropy > 0.0) relative_error = (entropy - true_entropy) / true_entropy;
    }
    file_.append({format_number(step),
                  one.estimator,
                  format_number(entropy),
                  number_cell(tv),
                  number_cell(tv_batch),
                  number_cell(relative_error),
                  number_cell(one.pom.numerical_error),
                  number_cell(one.pom.sampling_error),
                  number_cell(one.pom.model_error),
                  format_number(one.pom.iterations),
                  std::string(to_string(one.pom.status)),
                  format_number(one.seconds)});
  }
}

}  // namespace pomlux
