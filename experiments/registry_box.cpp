// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <pomlux/core/errors.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/core/sobol.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry_box.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

Field texts(std::string name, std::string doc) {
  Field result = field(std::move(name), FieldType::kTextList, std::move(doc));
  result.fallback = Json::array();
  return result;
}

Section axis_section() {
  Section section;
  section.doc = "one coordinate of a box: continuous, of whole numbers, or of categories";
  section.fields = {
      required(field("name", FieldType::kText, "of the coordinate")),
      nullable(field("lower", FieldType::kNumber, "lower end; null: for categories")),
      nullable(field("upper", FieldType::kNumber, "upper end; null: for categories")),
      choice("scale",
             "linear",
             {"linear", "log"},
             "what the model sees as equal steps: differences, or factors, from lower > 0"),
      boolean("integer", false, "whole numbers only"),
      texts("categories",
            "labels, two or more, in place of lower and upper; a point holds 0, 1, ..")};
  return section;
}

BoxAxis to_axis(const Json& options) {
  BoxAxis axis;
  axis.name = options.at("name").get<std::string>();
  axis.categories = options.at("categories").get<std::vector<std::string>>();
  const bool has_ends = !options.at("lower").is_null() && !options.at("upper").is_null();
  const bool has_some = !options.at("lower").is_null() || !options.at("upper").is_null();
  if (axis.categories.empty() ? !has_ends : has_some) {
    fail("axis " + axis.name,
         axis.categories.empty() ? "needs lower and upper, or categories"
                                 : "has categories; lower and upper must then be null");
  }
  if (!has_ends) return axis;
  axis.lower = options.at("lower").get<double>();
  axis.upper = options.at("upper").get<double>();
  axis.is_integer = options.at("integer").get<bool>();
  if (options.at("scale") == "log") axis.scale = AxisScale::kLog;
  return axis;
}

Box make_box(const Json& options) {
  std::vector<BoxAxis> axes;
  for (const Json& axis : options.at("axes")) axes.push_back(to_axis(axis));
  if (!axes.empty()) return Box(std::move(axes));
  const Box plain(to_vector(options.at("lower")), to_vector(options.at("upper")));
  const auto names = options.at("names").get<std::vector<std::string>>();
  if (names.empty()) return plain;
  axes = plain.axes();
  for (std::size_t k = 0; k < axes.size(); ++k) axes[k].name = names.at(k);
  return Box(std::move(axes));
}

Domain make_candidates(const Json& options, std::uint64_t seed) {
  const Box box = make_box(options);
  validate(OptimizerOptions{.search = box_search(options)});
  Rng rng = make_stream(seed, "domain");
  const Points units = sobol_points(options.at("candidates").get<Index>(), box.dimension(), rng);
  Points points(units.rows(), units.cols());
  for (Index i = 0; i < points.rows(); ++i) points.row(i) = box.at(units.row(i));
  return Domain(std::move(points), box.names());
}

}  // namespace

bool is_box(const Json& domain_section) {
  // Of a configuration with faults there may be no section.
  return domain_section.is_object() && domain_section.value("type", Json()) == "box";
}

std::optional<Box> box_of(const Json& domain_section) {
  if (!is_box(domain_section)) return std::nullopt;
  return make_box(domain_section);
}

BoxSearchOptions box_search(const Json& domain_section) {
  return {domain_section.at("candidates").get<Index>(),
          domain_section.at("around").get<Index>(),
          domain_section.at("polished").get<Index>()};
}

Domain encoded_domain(const Json& domain_section, const Domain& domain) {
  const std::optional<Box> box = box_of(domain_section);
  return box ? Domain(box->encode(domain.points())) : domain;
}

Json objective_section(const Json& config) {
  Json section = config.at("objective");
  const std::optional<Box> box = box_of(config.at("domain"));
  if (!box || section.at("type") != "command") return section;
  section["categories"] = Json::array();
  for (const BoxAxis& axis : box->axes()) section["categories"].push_back(axis.categories);
  return section;
}

DomainPlugin box_plugin() {
  const BoxSearchOptions defaults;
  Field axes = field("axes", FieldType::kSectionList, "one map per coordinate; none: lower, upper");
  axes.fallback = Json::array();
  axes.section = std::make_shared<const Section>(axis_section());
  return {
      {"box",
       "a box, searched by candidates that every step renews and polishes",
       {nullable(field("lower",
                       FieldType::kNumberList,
                       "lower end of every dimension; null: of the objective's own box, or axes")),
        nullable(field("upper",
                       FieldType::kNumberList,
                       "upper end of every dimension; null: of the objective's own box, or axes")),
        texts("names", "of the dimensions; none: x_0, x_1, ..., or axes"),
        std::move(axes),
        integer("candidates",
                defaults.candidates,
                between(1, 1e7),
                "points that the acquisition scores at each step"),
        integer("around",
                defaults.around,
                between(0, 1e7),
                "of these, at most all, points around the best observed ones; the others are Sobol "
                "points"),
        integer("polished",
                defaults.polished,
                between(0, 1e4),
                "candidates from which ei, pi and ucb are climbed by bounded L-BFGS")}},
      make_candidates};
}

}  // namespace pomlux
