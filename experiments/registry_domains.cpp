// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/registry_box.hpp>
#include <pomlux/experiments/registry_external.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

Field bound(std::string name, std::string doc) {
  return nullable(field(std::move(name), FieldType::kNumberList, std::move(doc)));
}

Field optional_texts(std::string name, std::string doc) {
  Field result = field(std::move(name), FieldType::kTextList, std::move(doc));
  result.fallback = Json::array();
  return result;
}

Field names_field() { return optional_texts("names", "of the dimensions; none: x_0, x_1, ..."); }

/// With the names that the section gives, if it gives any.
Domain named(const Domain& domain, const Json& options) {
  const auto names = options.at("names").get<std::vector<std::string>>();
  return names.empty() ? domain : Domain(domain.points(), names);
}

std::vector<Field> box_fields() {
  return {
      bound("lower", "lower end of every dimension; null: of the objective's own box"),
      bound("upper", "upper end of every dimension; null: of the objective's own box"),
      required(field("size", FieldType::kInteger, "number of points", between(1, kLargestCount))),
      seed_field(),
      names_field()};
}

std::vector<Field> round_fields() {
  return {
      required(field("dimension", FieldType::kInteger, "number of dimensions", between(1, 1e6))),
      number("radius", 1.0, above(0), "distance from the origin"),
      required(field("size", FieldType::kInteger, "number of points", between(1, kLargestCount))),
      seed_field()};
}

/// Refuses sizes whose coordinates alone would not fit, before anything is allocated.
void require_points(double n, double d) {
  const double bytes = n * d * static_cast<double>(sizeof(double));
  if (bytes > kDefaultMemoryLimit) {
    throw MemoryLimitExceeded("the domain has " + format_number(n) + " points in " +
                              format_number(d) + " dimensions and needs " + format_number(bytes) +
                              " bytes; allowed: " + format_number(kDefaultMemoryLimit));
  }
}

Rng domain_stream(const Json& options, std::uint64_t seed) {
  const Json& own = options.at("seed");
  return make_stream(own.is_null() ? seed : own.get<std::uint64_t>(), "domain");
}

Domain make_grid(const Json& options, std::uint64_t) {
  const auto counts = options.at("points").get<std::vector<Index>>();
  double n = 1.0;
  for (const Index count : counts) n *= static_cast<double>(count);
  require_points(n, static_cast<double>(counts.size()));
  return named(Domain::grid(to_vector(options.at("lower")), to_vector(options.at("upper")), counts),
               options);
}

Domain make_list(const Json& options, std::uint64_t) {
  const Json& rows = options.at("points");
  Points points(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < points.rows(); ++i) {
    points.row(i) = to_vector(rows.at(static_cast<std::size_t>(i))).transpose();
  }
  return Domain(std::move(points),
                options.at("names").get<std::vector<std::string>>(),
                options.at("labels").get<std::vector<std::string>>());
}

Domain make_from_file(const Json& options, std::uint64_t) {
  return Domain::from_csv(options.at("path").get<std::string>());
}

using BoxSample = Domain (*)(const VectorRef&, const VectorRef&, Index, Rng&);
template <BoxSample kSample>
Domain make_in_box(const Json& options, std::uint64_t seed) {
  const Vector lower = to_vector(options.at("lower"));
  const auto n = options.at("size").get<Index>();
  require_points(static_cast<double>(n), static_cast<double>(lower.size()));
  Rng rng = domain_stream(options, seed);
  return named(kSample(lower, to_vector(options.at("upper")), n, rng), options);
}

using RoundSample = Domain (*)(Index, double, Index, Rng&);
template <RoundSample kSample>
Domain make_round(const Json& options, std::uint64_t seed) {
  const auto d = options.at("dimension").get<Index>();
  const auto n = options.at("size").get<Index>();
  require_points(static_cast<double>(n), static_cast<double>(d));
  Rng rng = domain_stream(options, seed);
  return kSample(d, options.at("radius").get<double>(), n, rng);
}

}  // namespace

const std::vector<DomainPlugin>& domain_plugins() {
  static const std::vector<DomainPlugin> table{
      {{"grid",
        "full grid, both ends included, first dimension slowest",
        {bound("lower", "lower end of every dimension; null: of the objective's own box"),
         bound("upper", "upper end of every dimension; null: of the objective's own box"),
         required(field("points",
                        FieldType::kIntegerList,
                        "number of points on every dimension",
                        between(1, kLargestCount))),
         names_field()}},
       make_grid},
      {{"list",
        "the points written here",
        {required(field("points", FieldType::kPointList, "one list of coordinates per candidate")),
         names_field(),
         optional_texts("labels", "of the candidates; none: no labels")}},
       make_list},
      {{"file",
        "a CSV file with one candidate per row; a column named label gives labels",
        {required(field("path", FieldType::kPath, "relative to the configuration file"))}},
       make_from_file},
      table_domain_plugin(),
      box_plugin(),
      {{"random", "independent uniform points in a box", box_fields()},
       make_in_box<&Domain::random>},
      {{"sobol", "Sobol points in a box, with a random digital shift", box_fields()},
       make_in_box<&Domain::sobol>},
      {{"latin_hypercube", "one point in each of n strata of every dimension", box_fields()},
       make_in_box<&Domain::latin_hypercube>},
      {{"ball", "uniform points in a ball around the origin", round_fields()},
       make_round<&Domain::ball>},
      {{"sphere", "uniform points on a sphere around the origin", round_fields()},
       make_round<&Domain::sphere>},
  };
  return table;
}

}  // namespace pomlux
