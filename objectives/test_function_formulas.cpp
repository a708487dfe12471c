// SPDX-License-Identifier: MIT
#include <array>    // tables
#include <cmath>    // elementary functions
#include <numbers>  // pi, e
#include <pomlux/objectives/test_function_formulas.hpp>

namespace pomlux::formulas {
namespace {

constexpr double kPi = std::numbers::pi;
/// Optimum of the shifted functions, off the centre of the unit box.
constexpr std::array<double, 4> kShift{0.37, 0.61, 0.43, 0.58};

double square(double x) { return x * x; }

template <std::size_t kColumns>
using Table = std::array<std::array<double, kColumns>, 4>;

constexpr std::array<double, 4> kHartmannAlpha{1.0, 1.2, 3.0, 3.2};
constexpr Table<3> kHartmann3A{
    {{3.0, 10.0, 30.0}, {0.1, 10.0, 35.0}, {3.0, 10.0, 30.0}, {0.1, 10.0, 35.0}}};
constexpr Table<3> kHartmann3P{{{0.3689, 0.1170, 0.2673},
                                {0.4699, 0.4387, 0.7470},
                                {0.1091, 0.8732, 0.5547},
                                {0.03815, 0.5743, 0.8828}}};
constexpr Table<6> kHartmann6A{{{10.0, 3.0, 17.0, 3.5, 1.7, 8.0},
                                {0.05, 10.0, 17.0, 0.1, 8.0, 14.0},
                                {3.0, 3.5, 1.7, 10.0, 17.0, 8.0},
                                {17.0, 8.0, 0.05, 10.0, 0.1, 14.0}}};
constexpr Table<6> kHartmann6P{{{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                                {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                                {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                                {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}}};

/// Over as many columns as x has.
template <std::size_t kColumns>
double hartmann_sum(X x, const Table<kColumns>& a, const Table<kColumns>& p) {
  double sum = 0.0;
  for (std::size_t i = 0; i < kHartmannAlpha.size(); ++i) {
    double exponent = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) exponent += a[i][j] * square(x[j] - p[i][j]);
    sum += kHartmannAlpha[i] * std::exp(-exponent);
  }
  return sum;
}

using Centre = std::array<double, 4>;
constexpr std::array<double, 10> kShekelBeta{0.1, 0.2, 0.2, 0.4, 0.4, 0.6, 0.3, 0.7, 0.5, 0.5};
constexpr std::array<Centre, 10> kShekelCentres{{{4.0, 4.0, 4.0, 4.0},
                                                 {1.0, 1.0, 1.0, 1.0},
                                                 {8.0, 8.0, 8.0, 8.0},
                                                 {6.0, 6.0, 6.0, 6.0},
                                                 {3.0, 7.0, 3.0, 7.0},
                                                 {2.0, 9.0, 2.0, 9.0},
                                                 {5.0, 3.0, 5.0, 3.0},
                                                 {8.0, 1.0, 8.0, 1.0},
                                                 {6.0, 2.0, 6.0, 2.0},
                                                 {7.0, 3.6, 7.0, 3.6}}};
constexpr Centre kOriginalSeventh{5.0, 5.0, 3.0, 3.0};

double shekel(X x, std::size_t m, const Centre& seventh) {
  double sum = 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    const Centre& centre = i == 6 ? seventh : kShekelCentres[i];
    double denominator = kShekelBeta[i];
    for (std::size_t j = 0; j < centre.size(); ++j) denominator += square(x[j] - centre[j]);
    sum += 1.0 / denominator;
  }
  return -sum;
}

double rastrigin_term(double x) { return square(x) - 10.0 * std::cos(2.0 * kPi * x); }

/// T of ellipsoid_shifted.
double oscillated(double t) {
  if (t == 0.0) return 0.0;
  const double h = std::log(std::abs(t));
  const double a = t > 0.0 ? 10.0 : 5.5;
  const double b = t > 0.0 ? 7.9 : 3.1;
  return std::copysign(std::exp(h + 0.049 * std::sin(a * h) + std::sin(b * h)), t);
}

}  // namespace

double drop_wave(X x) {
  const double r = std::hypot(x[0], x[1]);
  return (1.0 + std::cos(12.0 * r)) / (0.5 * r * r + 2.0);
}

double branin(X x) {
  const double bend = x[1] - 5.1 * square(x[0]) / (4.0 * square(kPi)) + 5.0 * x[0] / kPi - 6.0;
  return square(bend) + 10.0 * (1.0 - 1.0 / (8.0 * kPi)) * std::cos(x[0]) + 10.0;
}

double branin_rescaled(X u) {
  const std::array x{15.0 * u[0] - 5.0, 15.0 * u[1]};
  return (branin(x) - 54.81) / 51.95;
}

double hartmann3(X x) { return -hartmann_sum(x, kHartmann3A, kHartmann3P); }
double hartmann4(X x) { return (1.1 - hartmann_sum(x, kHartmann6A, kHartmann6P)) / 0.839; }
double hartmann6(X x) { return -hartmann_sum(x, kHartmann6A, kHartmann6P); }

double ackley(X x) {
  double squares = 0.0;
  double cosines = 0.0;
  for (const double value : x) {
    squares += square(value);
    cosines += std::cos(2.0 * kPi * value);
  }
  const auto d = static_cast<double>(x.size());
  return -20.0 * std::expm1(-0.2 * std::sqrt(squares / d)) -
         std::numbers::e * std::expm1(cosines / d - 1.0);
}

double rastrigin(X x) {
  double sum = 10.0 * static_cast<double>(x.size());
  for (const double value : x) sum += rastrigin_term(value);
  return sum;
}

double rastrigin_shifted(X u) {
  double sum = 10.0 * static_cast<double>(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) sum += rastrigin_term(2.0 * (u[i] - kShift[i]));
  return sum;
}

double sphere_shifted(X u) {
  double sum = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += square(u[i] - kShift[i]);
  return sum;
}

double ellipsoid_shifted(X u) {
  double sum = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double power = static_cast<double>(i) / static_cast<double>(u.size() - 1);
    sum += std::pow(10.0, power) * square(oscillated(u[i] - kShift[i])) + 1.0;
  }
  return sum;
}

double rosenbrock(X x) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    sum += 100.0 * square(x[i + 1] - square(x[i])) + square(1.0 - x[i]);
  }
  return sum;
}

double levy(X x) {
  const auto w = [&](std::size_t i) { return 1.0 + 0.25 * (x[i] - 1.0); };
  const std::size_t last = x.size() - 1;
  double sum = square(std::sin(kPi * w(0)));
  for (std::size_t i = 0; i < last; ++i) {
    sum += square(w(i) - 1.0) * (1.0 + 10.0 * square(std::sin(kPi * w(i) + 1.0)));
  }
  return sum + square(w(last) - 1.0) * (1.0 + square(std::sin(2.0 * kPi * w(last))));
}

double griewank(X x) {
  double sum = 0.0;
  double product = 1.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += square(x[i]) / 4000.0;
    product *= std::cos(x[i] / std::sqrt(static_cast<double>(i + 1)));
  }
  return sum - product + 1.0;
}

double goldstein_price(X x) {
  const double a = x[0];
  const double b = x[1];
  return (1.0 + square(a + b + 1.0) *
                    (19.0 - 14.0 * a + 3.0 * a * a - 14.0 * b + 6.0 * a * b + 3.0 * b * b)) *
         (30.0 + square(2.0 * a - 3.0 * b) *
                     (18.0 - 32.0 * a + 12.0 * a * a + 48.0 * b - 36.0 * a * b + 27.0 * b * b));
}

double goldstein_price_rescaled(X u) {
  const std::array x{4.0 * u[0] - 2.0, 4.0 * u[1] - 2.0};
  return (std::log(goldstein_price(x)) - 8.693) / 2.427;
}

double six_hump_camel(X x) {
  const double a = square(x[0]);
  const double b = square(x[1]);
  return (4.0 - 2.1 * a + a * a / 3.0) * a + x[0] * x[1] + (4.0 * b - 4.0) * b;
}

double six_hump_camel_rescaled(X u) {
  const std::array x{6.0 * u[0] - 3.0, 4.0 * u[1] - 2.0};
  return six_hump_camel(x);
}

double michalewicz(X x) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double ridge = std::sin(static_cast<double>(i + 1) * square(x[i]) / kPi);
    sum -= std::sin(x[i]) * std::pow(square(ridge), 10);
  }
  return sum;
}

double eggholder(X x) {
  const double shifted = x[1] + 47.0;
  return -shifted * std::sin(std::sqrt(std::abs(shifted + 0.5 * x[0]))) -
         x[0] * std::sin(std::sqrt(std::abs(x[0] - shifted)));
}

double styblinski_tang(X x) {
  double sum = 0.0;
  for (const double value : x) {
    const double a = square(value);
    sum += 0.5 * (a * a - 16.0 * a + 5.0 * value);
  }
  return sum;
}

double schwefel(X x) {
  double sum = 0.0;
  for (const double value : x) sum += 418.9829 - value * std::sin(std::sqrt(std::abs(value)));
  return sum;
}

double bukin6(X x) {
  return 100.0 * std::sqrt(std::abs(x[1] - 0.01 * square(x[0]))) + 0.01 * std::abs(x[0] + 10.0);
}

double holder_table(X x) {
  const double growth = std::exp(std::abs(1.0 - std::hypot(x[0], x[1]) / kPi));
  return -std::abs(std::sin(x[0]) * std::cos(x[1]) * growth);
}

double shekel_m5(X x) { return shekel(x, 5, kShekelCentres[6]); }
double shekel_m7(X x) { return shekel(x, 7, kShekelCentres[6]); }
double shekel_m10(X x) { return shekel(x, 10, kShekelCentres[6]); }
double shekel_m7_original(X x) { return shekel(x, 7, kOriginalSeventh); }
double shekel_m10_original(X x) { return shekel(x, 10, kOriginalSeventh); }

double beale(X x) {
  const double a = x[0];
  const double b = x[1];
  return square(1.5 - a + a * b) + square(2.25 - a + a * b * b) + square(2.625 - a + a * b * b * b);
}

}  // namespace pomlux::formulas
