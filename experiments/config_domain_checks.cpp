// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <new>        // std::bad_alloc
#include <pomlux/core/csv.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/experiments/config_domain_checks.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/experiments/spec.hpp>

namespace pomlux {

std::string entry(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

std::string count(std::size_t n) { return std::to_string(n); }

bool guarded(ConfigReader& reader, const std::string& path, const std::function<void()>& check) {
  try {
    check();
    return true;
  } catch (const InvalidArgument& error) {
    reader.add_fault(path, error.what());
  } catch (const std::bad_alloc&) {
    reader.add_fault(path, "does not fit into memory");
  }
  return false;
}

namespace {

/// Lengths and order of lower and upper; lengths of points.
void check_box(const Json& domain, ConfigReader& reader) {
  const Json& lower = domain.at("lower");
  const Json& upper = domain.at("upper");
  if (lower.empty())
    reader.add_fault("domain.lower", "found an empty list; allowed: one number per dimension");
  const auto check_length = [&](const std::string& key) {
    if (domain.at(key).size() == lower.size()) return true;
    reader.add_fault("domain." + key,
                     "found " + count(domain.at(key).size()) +
                         " values; allowed: " + count(lower.size()) + ", as lower has that many");
    return false;
  };
  if (domain.contains("points")) static_cast<void>(check_length("points"));
  if (!domain.at("names").empty()) static_cast<void>(check_length("names"));
  if (!check_length("upper")) return;
  for (std::size_t k = 0; k < lower.size(); ++k) {
    if (lower[k].get<double>() <= upper[k].get<double>()) continue;
    reader.add_fault(entry("domain.upper", k),
                     "found " + format_number(upper[k].get<double>()) +
                         "; allowed: at least lower[" + count(k) +
                         "] = " + format_number(lower[k].get<double>()));
  }
}

Json to_json(const Vector& numbers) { return std::vector<double>(numbers.begin(), numbers.end()); }

/// Puts the objective's own box where neither corner is given. False if a corner stays unknown.
bool fill_box(Json& config, ConfigReader& reader) {
  Json& domain = config.at("domain");
  const bool needs_lower = domain.at("lower").is_null();
  const bool needs_upper = domain.at("upper").is_null();
  if (!needs_lower && !needs_upper) return true;
  if (reader.has_fault("objective")) return false;  // whose box is not known
  const bool has_points = domain.contains("points");
  const auto d = has_points ? static_cast<Index>(domain.at("points").size()) : Index{0};
  std::optional<Corners> box;
  if (needs_lower && needs_upper) box = default_box(config.at("objective"), d);
  if (!box) {
    reader.add_fault(needs_lower ? "domain.lower" : "domain.upper",
                     "is missing; allowed: one number per dimension, or neither lower nor upper "
                     "for an objective of known dimension that has a box of its own");
    return false;
  }
  domain["lower"] = to_json(box->lower);
  domain["upper"] = to_json(box->upper);
  return true;
}

void check_point_list(const Json& domain, ConfigReader& reader) {
  const Json& points = domain.at("points");
  if (points.empty()) {
    reader.add_fault("domain.points", "found an empty list; allowed: at least one candidate");
    return;
  }
  const std::size_t d = points[0].size();
  if (d == 0)
    reader.add_fault("domain.points[0]", "found an empty list; allowed: one number per dimension");
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].size() == d) continue;
    reader.add_fault(entry("domain.points", i),
                     "found " + count(points[i].size()) + " values; allowed: " + count(d) +
                         ", as the first point has that many");
  }
  const auto check_texts = [&](const std::string& key, std::size_t wanted, const char* unit) {
    const std::size_t size = domain.at(key).size();
    if (size == 0 || size == wanted) return;
    reader.add_fault(
        "domain." + key,
        "found " + count(size) + " texts; allowed: one per " + unit + ", " + count(wanted));
  };
  check_texts("names", d, "dimension");
  check_texts("labels", points.size(), "candidate");
}

/// Names head columns of files.
void check_names(const Json& domain, ConfigReader& reader) {
  std::vector<std::string> paths, names;
  if (domain.contains("names")) {
    for (const Json& name : domain.at("names")) {
      paths.push_back(entry("domain.names", names.size()));
      names.push_back(name.get<std::string>());
    }
  }
  if (is_box(domain)) {
    for (std::size_t k = 0; k < domain.at("axes").size(); ++k) {
      paths.push_back(entry("domain.axes", k) + ".name");
      names.push_back(domain.at("axes")[k].at("name").get<std::string>());
    }
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string fault = column_name_fault(names[k]);
    const auto earlier =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), names[k]) - names.begin());
    if (!fault.empty()) {
      reader.add_fault(paths[k],
                       "found " + in_quotes(names[k]) + fault +
                           "; allowed: text on one line, no number, without control and invisible "
                           "characters");
    } else if (earlier < k) {
      reader.add_fault(paths[k],
                       "found " + in_quotes(names[k]) + " again, after " + paths[earlier] +
                           "; allowed: every name once");
    }
  }
}

/// No more points around the best than candidates: the default gives way, a value is refused.
void fill_around(Json& domain, ConfigReader& reader) {
  const auto candidates = domain.at("candidates").get<Index>();
  const auto around = domain.at("around").get<Index>();
  if (around <= candidates) return;
  domain["around"] = candidates;
  if (!reader.is_given("domain.around")) return;
  reader.add_fault("domain.around",
                   "found " + format_number(around) +
                       "; allowed: 0 to candidates = " + format_number(candidates));
}

/// A box is given by axes, or by lower and upper, which may be the objective's.
bool fill_axes(Json& config, ConfigReader& reader) {
  Json& domain = config.at("domain");
  fill_around(domain, reader);
  if (!domain.at("subset").is_null()) {
    reader.add_fault("domain.subset", "found a subset; allowed: null, as a box has no candidates");
  }
  if (domain.at("axes").empty()) {
    if (!fill_box(config, reader)) return false;
    check_box(domain, reader);
    return true;
  }
  for (const char* key : {"lower", "upper", "names"}) {
    if (domain.at(key).empty()) continue;
    reader.add_fault(std::string("domain.") + key,
                     "found together with axes; allowed: one of both");
  }
  for (std::size_t k = 0; k < domain.at("axes").size(); ++k) {
    const Json& axis = domain.at("axes")[k];
    if (axis.at("categories").empty()) continue;
    const std::string path = entry("domain.axes", k);
    if (axis.at("integer").get<bool>()) {
      reader.add_fault(path + ".integer", "found true together with categories; allowed: false");
    }
    if (axis.at("scale") != "linear") {
      reader.add_fault(path + ".scale", "found log together with categories; allowed: linear");
    }
  }
  return true;
}

}  // namespace

std::optional<Domain> check_domain(Json& config, ConfigReader& reader) {
  if (reader.has_fault("domain")) return std::nullopt;
  const Json& section = config.at("domain");
  if (is_box(section)) {
    if (!fill_axes(config, reader)) return std::nullopt;
  } else if (section.contains("lower")) {
    if (!fill_box(config, reader)) return std::nullopt;
    check_box(section, reader);
  }
  check_names(section, reader);
  if (section.at("type") == "list") check_point_list(section, reader);
  if (reader.has_fault("domain")) return std::nullopt;
  const bool has_seeds = config.at("seeds").is_array() && !config.at("seeds").empty();
  const std::uint64_t seed = has_seeds ? config.at("seeds")[0].get<std::uint64_t>() : 0;
  std::optional<Domain> domain;
  std::string path = "domain";  // the key that decides the size, where there is one
  for (const char* key : {"path", "points", "size", "axes"}) {
    const bool is_used = section.contains(key) && !section.at(key).empty();
    if (is_used) path = std::string("domain.") + key;
  }
  guarded(reader, path, [&] { domain = make_domain(section, seed); });
  return domain;
}

}  // namespace pomlux
