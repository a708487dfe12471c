// SPDX-License-Identifier: MIT
#include <cmath>
#include <pomlux/acquisition/thompson_sampling.hpp>

#include "catch.hpp"
#include "oracle.hpp"

namespace {

using namespace pomlux;

Matrix to_matrix(const nlohmann::json& rows) { return test::to_points(rows); }

}  // namespace

TEST_CASE("Thompson sampling picks a candidate as often as it is the maximum",
          "[acquisition][ts]") {
  constexpr int kDraws = 2000;
  int cases = 0;
  for (const nlohmann::json& c : test::load_oracle("pom_exact_correlated.json")) {
    const Vector p = test::to_vector(c.at("p"));
    const std::string name = c.at("name");
    if (p.size() > 4 || name == "n3_exact_tie") continue;  // the tie has no unique maximiser
    ++cases;
    CAPTURE(name);
    const DenseGaussian f(test::to_vector(c.at("mean")), to_matrix(c.at("cov")));
    const AcquisitionContext context{f, std::nullopt, 0.0, 0.0, 1};
    for (const SamplingMethod method : {SamplingMethod::kExact, SamplingMethod::kLowRank}) {
      const ThompsonSampling rule(JointSamplerOptions{.method = method});
      Rng rng = make_stream(1, "test");
      Vector counts = Vector::Zero(p.size());
      for (int i = 0; i < kDraws; ++i) {
        Index best = 0;
        rule.score(context, rng).maxCoeff(&best);
        counts(best) += 1.0;
      }
      for (Index i = 0; i < p.size(); ++i) {
        // Five standard errors, fixed seed.
        CHECK_THAT(counts(i) / kDraws,
                   WithinAbs(p(i), 5.0 * std::sqrt(p(i) * (1.0 - p(i)) / kDraws) + 1e-12));
      }
    }
  }
  CHECK(cases >= 3);
}

TEST_CASE("Thompson sampling repeats with the stream and obeys the subset", "[acquisition][ts]") {
  const DenseGaussian f(Vector::Zero(3), Matrix::Identity(3, 3));
  const AcquisitionContext context{f, std::nullopt, 0.0, 0.0, 1};
  Rng first = make_stream(2, "test"), second = first, third = make_stream(3, "test");
  const std::vector<Index> subset = {2, 1};
  const Vector all = ThompsonSampling().score(context, first);
  const Vector some = ThompsonSampling().score(context, subset, second);
  CHECK(some(0) == all(2));
  CHECK(some(1) == all(1));
  CHECK(ThompsonSampling().score(context, third) != all);
}

TEST_CASE("Thompson sampling refuses what does not fit into its memory", "[acquisition][ts]") {
  const DenseGaussian f(Vector::Zero(100), Matrix::Identity(100, 100));
  const AcquisitionContext context{f, std::nullopt, 0.0, 0.0, 1};
  Rng rng = make_stream(4, "test");
  constexpr double kNeeded = 100.0 * 100.0 * sizeof(double);
  const auto with_limit = [](double bytes) {
    return ThompsonSampling(JointSamplerOptions{.memory_limit = bytes});
  };
  CHECK_THROWS_AS(with_limit(kNeeded - 1.0).score(context, rng), MemoryLimitExceeded);
  CHECK(with_limit(kNeeded).score(context, rng).size() == 100);
  CHECK_THROWS_WITH(with_limit(0.0), ContainsSubstring("memory_limit is 0"));
}
