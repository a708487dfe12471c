// SPDX-License-Identifier: MIT
// How far local_hazard is from the probabilities of correlated arms, and what it costs.
//   bench_local_hazard accuracy [seeds] [samples]   total variation in percent by kind of belief
//   bench_local_hazard time [side] [neighbours]     processor microseconds per arm of one thread:
//   a whole call, the search for neighbours with their covariances, and the integral alone; and how
//   many times faster two threads are. Gaussian process posteriors on side x side points, a rough
//   and a smooth one
// "TV" is the distance to joint samples less its expectation from their noise alone, in quadrature.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <hazard_cases.hpp>
#include <pomlux/core/domain.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/estimators/independence.hpp>
#include <pomlux/estimators/local_hazard_belief.hpp>
#include <pomlux/estimators/local_hazard_local.hpp>
#include <pomlux/estimators/local_hazard_panels.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <string>
#include <vector>

namespace {

using namespace pomlux;
using namespace pomlux::test;

/// From a stream: a belief of some kind.
using Draw = std::function<DenseGaussian(std::uint64_t seed)>;

struct Family {
  std::string name;
  Draw draw;
};

double uniform(std::uint64_t seed, double low, double high) {
  Rng rng = make_stream(seed, "bench_local_hazard");
  return low + (high - low) * draw_uniform(rng);
}

/// Random means and standard deviations, with a correlation.
DenseGaussian scaled(Matrix correlation, std::uint64_t seed) {
  Rng rng = make_stream(seed, "bench_local_hazard_marginals");
  const Index n = correlation.rows();
  const Vector mean = draw_normals(rng, n);
  Vector stddev(n);
  for (Index i = 0; i < n; ++i) stddev(i) = 0.5 + draw_uniform(rng);
  correlation = (stddev.asDiagonal() * correlation * stddev.asDiagonal()).eval();
  return {mean, 0.5 * (correlation + correlation.transpose())};
}

Matrix equicorrelation(Index n, double rho) {
  return (1.0 - rho) * Matrix::Identity(n, n) + Matrix::Constant(n, n, rho);
}

Matrix factor_correlation(Index n, Index factors, std::uint64_t seed) {
  Rng rng = make_stream(seed, "bench_local_hazard_factors");
  Matrix loadings(n, factors);
  for (Index j = 0; j < factors; ++j) loadings.col(j) = draw_normals(rng, n);
  Matrix covariance = loadings * loadings.transpose();
  covariance.diagonal().array() += 0.3 * static_cast<double>(factors);
  const Vector scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * covariance * scale.asDiagonal();
}

/// Of a linear function of `features` standard normal features, given observations.
DenseGaussian linear(Index features, std::uint64_t seed) {
  Rng rng = make_stream(seed, "bench_local_hazard_linear");
  Matrix x(500, features);
  for (Index j = 0; j < features; ++j) x.col(j) = draw_normals(rng, x.rows());
  Matrix prior = x * x.transpose() / static_cast<double>(features);
  prior.diagonal().array() += 1e-9;
  return draw_posterior(prior, features / 2 + 1, 0.3, seed);
}

std::vector<Family> families() {
  const auto observations = [](std::uint64_t seed) {
    return seed % 2 == 0 ? Index{10} : Index{60};
  };
  const auto few = [](std::uint64_t seed) { return Index(5 + 15 * (seed % 2)); };
  const auto count = [](std::uint64_t seed) { return Index(1 + seed % 8); };
  return {{"1-dim GP, SE 1.5 of 300",
           [=](std::uint64_t s) {
             return draw_posterior(
                 kernel_matrix(line(300), squared_exponential(1.5)), observations(s), 0.1, s);
           }},
          {"2-dim GP, L1-exponential 2 of 20",
           [=](std::uint64_t s) {
             return draw_posterior(
                 kernel_matrix(square(20), exponential_l1(2.0)), observations(s), 0.1, s);
           }},
          {"smooth 1-dim SE, 2-20 of 300",
           [=](std::uint64_t s) {
             return draw_posterior(
                 kernel_matrix(line(300), squared_exponential(uniform(s, 2, 20))), few(s), 0.1, s);
           }},
          {"smooth 2-dim SE, 1-6 of 20",
           [=](std::uint64_t s) {
             return draw_posterior(
                 kernel_matrix(square(20), squared_exponential(uniform(s, 1, 6))), few(s), 0.1, s);
           }},
          {"equicorrelated 0.3-0.9, n 200",
           [](std::uint64_t s) { return scaled(equicorrelation(200, uniform(s, 0.3, 0.9)), s); }},
          {"1-8 factors + diagonal, n 300",
           [=](std::uint64_t s) { return scaled(factor_correlation(300, count(s), s), s); }},
          {"long SE + short exponential, 20 x 20",
           [=](std::uint64_t s) {
             const PlainKernel near = exponential_l1(1.0),
                               far = squared_exponential(uniform(s, 10, 40));
             return draw_posterior(
                 kernel_matrix(square(20), [=](const Point& d) { return near(d) + far(d); }),
                 few(s),
                 0.1,
                 s);
           }},
          {"linear, 4-50 features, n 500",
           [=](std::uint64_t s) { return linear(Index(4 + (s * 7) % 47), s); }}};
}

double less_noise(double distance, double noise) {
  return std::sqrt(std::max(0.0, distance * distance - noise * noise));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// One way to ask, over the beliefs of a family.
struct Column {
  std::string name;
  LocalHazardOptions options;
  double sum = 0.0, largest = 0.0;
  std::vector<double> ratios{};  // estimated error over TV
  int covered = 0, warned = 0, worse = 0;
};

void print_family(const Family& family, int seeds, std::uint64_t samples, std::uint64_t first) {
  std::vector<Column> columns{
      {"sequential", {.moments = HazardMoments::kSequential, .regime = HazardRegime::kLocal}},
      {"local", {.regime = HazardRegime::kLocal}},
      {"auto", {}},
      {"auto + sampling", {.allow_sampling = true}}};
  double ignorant = 0.0, noise = 0.0;
  for (int k = 0; k < seeds; ++k) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(k);
    const DenseGaussian f = family.draw(seed);
    Rng rng = make_stream(seed, "bench_local_hazard_truth");
    const TsMcResult truth = ts_mc(f, rng, {.samples = samples});
    const double floor = *truth.pom.sampling_error;
    const auto distance_of = [&](const Pom& pom) {
      return less_noise(pom.total_variation(truth.pom), floor);
    };
    const double of_independence = distance_of(independence(f.mean(), f.stddev()));
    ignorant += of_independence / seeds;
    noise += floor / seeds;
    for (Column& column : columns) {
      const LocalHazardResult result = local_hazard(f, rng, column.options);
      const double distance = distance_of(result.pom), error = *result.pom.model_error;
      column.sum += distance / seeds;
      column.largest = std::max(column.largest, distance);
      column.ratios.push_back(error / std::max(distance, 1e-3));
      column.covered += distance <= 2.0 * error;
      column.warned += result.pom.status != Status::kConverged;
      column.worse += distance > of_independence + 0.005;
    }
  }
  std::printf(
      "%s: floor %.2f, independence %.2f\n", family.name.c_str(), 100 * noise, 100 * ignorant);
  for (const Column& column : columns) {
    std::printf(
        "  %-16s mean %6.2f  largest %6.2f  covered %d/%d  warned %d  median ratio %.2f  "
        "worse than independence %d\n",
        column.name.c_str(),
        100 * column.sum,
        100 * column.largest,
        column.covered,
        seeds,
        column.warned,
        median(column.ratios),
        column.worse);
  }
  std::fflush(stdout);
}

/// Of one call, at best: processor seconds, as what else the machine does must not count, and wall
/// seconds, to compare numbers of threads.
struct Seconds {
  double processor = kInfinity, wall = kInfinity;
};

Seconds best_seconds(int threads, int repeats, const std::function<void()>& body) {
  Seconds best;
  with_threads(threads, [&] {
    for (int k = 0; k < repeats; ++k) {
      const std::clock_t start = std::clock();
      const auto begin = std::chrono::steady_clock::now();
      body();
      const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
      const auto ticks = static_cast<double>(std::clock() - start);
      best.processor = std::min(best.processor, ticks / static_cast<double>(CLOCKS_PER_SEC));
      best.wall = std::min(best.wall, wall.count());
    }
  });
  return best;
}

struct Field {
  const char* moments;  ///< that nearly all arms of it take
  double length_scale;  ///< of a Matern-5/2 kernel, in steps of the grid
};

/// Seconds of a call and, on one thread, of its main parts.
void print_time(const GaussianVector& f, const Field& field, Index m, int repeats) {
  Rng rng = make_stream(1, "bench_local_hazard_call");
  LocalHazardResult result;
  const auto call = [&] {
    result = local_hazard(f, rng, {.neighbours = m, .regime = HazardRegime::kLocal});
  };
  const Seconds one = best_seconds(1, repeats, call), two = best_seconds(2, repeats, call);

  const LocalHazardOptions options{.neighbours = m};
  const HazardBelief belief = make_hazard_belief(f);
  const Vector weights = f_lite(belief.mean, belief.stddev).probabilities;
  double origin = 0.0;
  HazardArms arms =
      make_hazard_arms(belief, prune_arms(belief, weights, options.prune_mass), origin);
  const Seconds search = best_seconds(1, repeats, [&] {
    find_neighbours(f, {.most = m, .spread_beyond = options.strong_correlation}, arms);
  });
  const std::vector<bool> propagates = propagated_arms(arms, options);
  HazardSolution solution;
  const Seconds integral = best_seconds(1, repeats, [&] {
    solution = integrate_hazard(arms, arms.mean, propagates, -kInfinity, {});
  });
  const auto per_arm = [&](const Seconds& seconds) {
    return 1e6 * seconds.processor / static_cast<double>(arms.size());
  };
  std::printf("n %6td  m %2td  %-11s %7.2f  %7.2f  %7.2f  x%.2f  %5.1f %%  %td, %d\n",
              f.size(),
              m,
              m == 0 ? "none" : field.moments,
              per_arm(one),
              per_arm(search),
              per_arm(integral),
              one.wall / two.wall,
              100.0 * solution.propagated_share,
              result.active_arms,
              result.panels);
  std::fflush(stdout);
}

int print_times(const std::vector<Index>& sides, const std::vector<Index>& neighbours) {
  constexpr Field kFields[] = {{"sequential", 2.0}, {"propagation", 6.0}};
  std::printf(
      "level %s; processor microseconds per active arm of one thread\n"
      "                             call   search  integral  two threads, propagated, "
      "active arms, panels\n",
      std::string(active_isa()).c_str());
  for (const Index side : sides) {
    const std::vector<Index> points{side, side};
    const Domain domain =
        Domain::grid(Vector::Zero(2), Vector::Constant(2, static_cast<double>(side - 1)), points);
    for (const Field& field : kFields) {
      GaussianProcess gp(
          2,
          make_kernel(KernelType::kMatern52, Vector::Constant(1, field.length_scale), 1.0),
          {.noise_stddev = 0.1});
      Rng rng = make_stream(1, "bench_local_hazard");
      for (int k = 0; k < 30; ++k) {
        gp.add(domain.point(draw_index(rng, domain.size())), draw_normal(rng));
      }
      const GaussianVector& f = gp.posterior(domain);
      for (const Index m : neighbours) {
        if (m == 0 && &field != &kFields[0]) continue;
        print_time(f, field, m, side < 300 ? 5 : 2);
      }
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int code = 2;
  if (argc >= 2 && std::strcmp(argv[1], "time") == 0) {
    const auto given = [&](int at, std::vector<Index> otherwise) {
      return argc > at ? std::vector<Index>{std::atoi(argv[at])} : otherwise;
    };
    code = print_times(given(2, {32, 100, 316}), given(3, {0, 8, 16}));
  }
  with_threads(1, [&] {
    if (argc >= 2 && std::strcmp(argv[1], "accuracy") == 0) {
      const int seeds = argc > 2 ? std::atoi(argv[2]) : 6;
      const std::uint64_t samples = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 200000;
      for (const Family& family : families()) print_family(family, seeds, samples, 1000);
      code = 0;
    }
  });
  if (code == 2) {
    std::fprintf(
        stderr,
        "usage: bench_local_hazard accuracy [seeds] [samples] | time [side] [neighbours]\n");
  }
  return code;
}
