// SPDX-License-Identifier: MIT
#pragma once

#include <span>  // one point

namespace pomlux::formulas {

// Test functions as published, with x_1 ... x_d for x[0] ... x[d - 1] and u for points of a unit
// box. Sizes are checked by TestFunction. objectives/test_function_table.cpp has the sources.
using X = std::span<const double>;

/// (1 + cos(12 r)) / (r² / 2 + 2), r = |x|. Published negated.
[[nodiscard]] double drop_wave(X x);
/// (x_2 - 5.1 x_1² / (4 π²) + 5 x_1 / π - 6)² + 10 (1 - 1 / (8 π)) cos x_1 + 10.
[[nodiscard]] double branin(X x);
/// (branin(15 u_1 - 5, 15 u_2) - 54.81) / 51.95.
[[nodiscard]] double branin_rescaled(X u);
/// - Σ_i α_i exp(- Σ_j A_ij (x_j - P_ij)²), the tables of three and of six dimensions.
[[nodiscard]] double hartmann3(X x);
[[nodiscard]] double hartmann6(X x);
/// (1.1 - Σ_i ...) / 0.839 over the first four columns of the six-dimensional tables.
[[nodiscard]] double hartmann4(X x);
/// 20 - 20 exp(-|x| / (5 √d)) + e - exp(Σ_i cos(2 π x_i) / d).
[[nodiscard]] double ackley(X x);
/// 10 d + Σ_i (x_i² - 10 cos(2 π x_i)).
[[nodiscard]] double rastrigin(X x);
/// rastrigin(2 (u - c)), c = (0.37, 0.61, 0.43, 0.58).
[[nodiscard]] double rastrigin_shifted(X u);
/// Σ_i (u_i - c_i)².
[[nodiscard]] double sphere_shifted(X u);
/// Σ_i (10^((i - 1) / (d - 1)) T(u_i - c_i)² + 1), T(t) = sign(t) exp(h + 0.049 sin(a h) + sin(b
/// h)), h = ln|t|, a = 10 and b = 7.9 for t > 0, a = 5.5 and b = 3.1 for t < 0, T(0) = 0.
[[nodiscard]] double ellipsoid_shifted(X u);
/// Σ_i<d (100 (x_i+1 - x_i²)² + (1 - x_i)²).
[[nodiscard]] double rosenbrock(X x);
/// sin²(π w_1) + Σ_i<d (w_i - 1)² (1 + 10 sin²(π w_i + 1)) + (w_d - 1)² (1 + sin²(2 π w_d)),
/// w_i = 1 + (x_i - 1) / 4.
[[nodiscard]] double levy(X x);
/// Σ_i x_i² / 4000 - Π_i cos(x_i / √i) + 1.
[[nodiscard]] double griewank(X x);
/// (1 + (x_1 + x_2 + 1)² (19 - 14 x_1 + 3 x_1² - 14 x_2 + 6 x_1 x_2 + 3 x_2²))
/// (30 + (2 x_1 - 3 x_2)² (18 - 32 x_1 + 12 x_1² + 48 x_2 - 36 x_1 x_2 + 27 x_2²)).
[[nodiscard]] double goldstein_price(X x);
/// (ln goldstein_price(4 u - 2) - 8.693) / 2.427.
[[nodiscard]] double goldstein_price_rescaled(X u);
/// (4 - 2.1 x_1² + x_1⁴ / 3) x_1² + x_1 x_2 + (4 x_2² - 4) x_2².
[[nodiscard]] double six_hump_camel(X x);
/// six_hump_camel(6 u_1 - 3, 4 u_2 - 2).
[[nodiscard]] double six_hump_camel_rescaled(X u);
/// - Σ_i sin(x_i) sin²⁰(i x_i² / π).
[[nodiscard]] double michalewicz(X x);
/// -(x_2 + 47) sin √|x_2 + x_1 / 2 + 47| - x_1 sin √|x_1 - x_2 - 47|.
[[nodiscard]] double eggholder(X x);
/// Σ_i (x_i⁴ - 16 x_i² + 5 x_i) / 2.
[[nodiscard]] double styblinski_tang(X x);
/// Σ_i (418.9829 - x_i sin √|x_i|), with the constant as printed: the minimum is 1.27e-5 d.
[[nodiscard]] double schwefel(X x);
/// 100 √|x_2 - x_1² / 100| + |x_1 + 10| / 100.
[[nodiscard]] double bukin6(X x);
/// -|sin(x_1) cos(x_2) exp|1 - |x| / π||.
[[nodiscard]] double holder_table(X x);
/// - Σ_i 1 / (β_i + |x - C_i|²) over the first m centres, the seventh (5, 3, 5, 3) as widely
/// copied.
[[nodiscard]] double shekel_m5(X x);
[[nodiscard]] double shekel_m7(X x);
[[nodiscard]] double shekel_m10(X x);
/// The same with the seventh centre of the original, (5, 5, 3, 3).
[[nodiscard]] double shekel_m7_original(X x);
[[nodiscard]] double shekel_m10_original(X x);
/// (1.5 - x_1 + x_1 x_2)² + (2.25 - x_1 + x_1 x_2²)² + (2.625 - x_1 + x_1 x_2³)².
[[nodiscard]] double beale(X x);

}  // namespace pomlux::formulas
