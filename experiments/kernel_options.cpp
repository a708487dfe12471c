// SPDX-License-Identifier: MIT
#include <algorithm>  // std::max
#include <array>      // kernel types
#include <cmath>      // std::log
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry.hpp>
#include <utility>  // std::pair

namespace pomlux {
namespace {

struct KernelRow {
  KernelType type;
  const char* doc;
};

constexpr std::array<KernelRow, 6> kKernels{{
    {KernelType::kSquaredExponential, "a^2 exp(-r^2 / 2)"},
    {KernelType::kMatern12, "a^2 exp(-r)"},
    {KernelType::kMatern32, "a^2 (1 + sqrt3 r) exp(-sqrt3 r)"},
    {KernelType::kMatern52, "a^2 (1 + sqrt5 r + 5 r^2 / 3) exp(-sqrt5 r)"},
    {KernelType::kExponentialL1, "a^2 exp(-sum_k |x_k - y_k| / length_scale_k)"},
    {KernelType::kLinear, "a^2 + sum_k x_k y_k / length_scale_k^2"},
}};

Range hyperparameter_range() { return between(kSmallestHyperparameter, kLargestHyperparameter); }

}  // namespace

Field memory_limit_field() {
  return number("memory_limit",
                kDefaultMemoryLimit,
                above(0),
                "largest allocation quadratic in the number of candidates, bytes");
}

Field noise_field(double fallback, std::string doc) {
  return number("noise_stddev", fallback, at_least(0), std::move(doc));
}

Field seed_field() {
  return nullable(field("seed",
                        FieldType::kSeed,
                        "the same draw for every seed of the experiment; null: a new one each"));
}

Field sense_field(Sense fallback) {
  return choice("sense",
                fallback == Sense::kMinimize ? "minimize" : "maximize",
                {"maximize", "minimize"},
                "which values are better");
}

namespace {

/// Sums and products hold kernels, down to this many levels of them.
constexpr int kKernelLevels = 2;

Section kernel_section(int levels) {
  Section section;
  section.doc = "covariance function with amplitude a, a standard deviation: k(x, x) = a^2";
  section.fallback_variant = "matern52";
  for (const KernelRow& row : kKernels) {
    Field length_scale =
        field("length_scale",
              FieldType::kNumberOrList,
              "distance over which values correlate; a list: one per dimension, with ard",
              hyperparameter_range());
    length_scale.fallback = 1.0;
    // A linear function through the origin has no constant part.
    const bool allows_zero = row.type == KernelType::kLinear;
    const Range amplitude =
        allows_zero ? between(0, kLargestHyperparameter) : hyperparameter_range();
    section.variants.push_back(
        {std::string(to_string(row.type)),
         row.doc,
         {length_scale,
          number(
              "amplitude", 1.0, amplitude, "standard deviation of the function, not its variance"),
          boolean("ard", false, "one length scale per dimension")}});
  }
  Field of = choice("of", "squared_exponential", {}, "the kernel of one coordinate");
  for (const KernelRow& row : kKernels) {
    if (row.type != KernelType::kLinear) of.choices.emplace_back(to_string(row.type));
  }
  Field length_scale = field("length_scale",
                             FieldType::kNumberOrList,
                             "distance along a dimension over which values correlate",
                             hyperparameter_range());
  length_scale.fallback = 1.0;
  section.variants.push_back({"additive",
                              "a^2/d sum_k k(x_k / length_scale_k, y_k / length_scale_k): "
                              "functions of one coordinate each "
                              "that add up",
                              {std::move(of),
                               std::move(length_scale),
                               number("amplitude",
                                      1.0,
                                      hyperparameter_range(),
                                      "standard deviation of the function, not its variance")}});
  if (levels == 0) return section;
  Field terms = required(field("terms", FieldType::kSectionList, "the kernels that it is made of"));
  terms.section = std::make_shared<const Section>(kernel_section(levels - 1));
  section.variants.push_back({"sum", "sum of kernels: effects that add up", {terms}});
  section.variants.push_back(
      {"product", "product of kernels: effects that modulate each other", {terms}});
  return section;
}

/// Extents that differ by less than this factor are those of one unit of length.
constexpr double kSameExtent = 2.0;

}  // namespace

Section kernel_section() { return kernel_section(kKernelLevels); }

Vector relative_extents(const Domain& domain) {
  const Vector extent = (domain.upper() - domain.lower()).transpose();
  Vector result = Vector::Ones(extent.size());
  double log_sum = 0.0;
  Index count = 0;
  double smallest = kInfinity;
  double largest = 0.0;
  for (const double e : extent) {
    if (!(e > 0.0)) continue;
    log_sum += std::log(e);
    ++count;
    smallest = std::min(smallest, e);
    largest = std::max(largest, e);
  }
  if (count == 0 || largest < kSameExtent * smallest) return result;
  const double mean = std::exp(log_sum / static_cast<double>(count));
  for (Index k = 0; k < extent.size(); ++k) {
    if (extent(k) > 0.0) result(k) = extent(k) / mean;
  }
  return result;
}

std::unique_ptr<Kernel> make_kernel(const Json& section, const Vector& scales) {
  const auto name = section.at("type").get<std::string>();
  if (section.contains("terms")) {
    std::vector<std::unique_ptr<Kernel>> terms;
    for (const Json& term : section.at("terms")) terms.push_back(make_kernel(term, scales));
    return name == "sum" ? make_sum_kernel(std::move(terms))
                         : make_product_kernel(std::move(terms));
  }
  const Index dimension = scales.size();
  const Json& given = section.at("length_scale");
  Vector length_scale;
  if (given.is_array()) {
    length_scale = to_vector(given);
    if (length_scale.size() != dimension) {
      fail("length_scale",
           "found " + std::to_string(length_scale.size()) + " values; allowed: one number, or " +
               std::to_string(dimension) + " as the domain has that many dimensions");
    }
  } else {
    const bool is_isotropic =
        name != "additive" && !section.at("ard").get<bool>() && (scales.array() == 1.0).all();
    length_scale = given.get<double>() * (is_isotropic ? Vector::Ones(1) : scales);
  }
  const bool is_additive = name == "additive";
  const auto base = is_additive ? section.at("of").get<std::string>() : name;
  for (const KernelRow& row : kKernels) {
    if (to_string(row.type) != base) continue;
    const auto amplitude = section.at("amplitude").get<double>();
    return is_additive ? make_additive_kernel(row.type, length_scale, amplitude)
                       : make_kernel(row.type, length_scale, amplitude);
  }
  fail("registry", "no kernel of type '" + name + "'");
}

}  // namespace pomlux
