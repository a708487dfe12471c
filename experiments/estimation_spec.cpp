// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <pomlux/core/errors.hpp>
#include <pomlux/core/format.hpp>
#include <pomlux/experiments/estimation_spec.hpp>
#include <pomlux/experiments/kernel_options.hpp>
#include <utility>  // std::move

namespace pomlux {
namespace {

Section vectors_section() {
  const auto range = [](std::string name, std::string doc, Range allowed) {
    return required(
        field(std::move(name), FieldType::kNumberList, "[lower, upper] of " + doc, allowed));
  };
  Section section;
  section.doc = "Gaussian vectors; each seed draws one of every size";
  section.variants = {{"synthetic",
                       "independent arms, means and standard deviations uniform on ranges",
                       {required(field("sizes",
                                       FieldType::kIntegerList,
                                       "numbers of arms, ascending",
                                       between(1, kLargestCount))),
                        range("mean", "the means", {}),
                        range("stddev", "the standard deviations", at_least(0))}}};
  return section;
}

Section published_section() {
  Section section;
  section.doc = "total variation to the truth that somebody else has found, in percent";
  section.fields = {
      required(field("estimator", FieldType::kText, "name of a tracked estimator")),
      required(field("mean", FieldType::kNumber, "average", between(0, 100))),
      nullable(field("standard_error", FieldType::kNumber, "of that average", between(0, 100)))};
  return section;
}

void check_sizes(const Json& sizes, ConfigReader& reader) {
  if (sizes.empty())
    reader.add_fault("vectors.sizes", "found an empty list; allowed: at least one number of arms");
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    const auto before = sizes[i - 1].get<Index>();
    const auto size = sizes[i].get<Index>();
    if (size > before) continue;
    reader.add_fault("vectors.sizes[" + format_number(i) + "]",
                     "found " + format_number(size) + "; allowed: more than the " +
                         format_number(before) + " before it");
  }
}

void check_range(const Json& vectors, const std::string& key, ConfigReader& reader) {
  const Json& range = vectors.at(key);
  const std::string path = "vectors." + key;
  if (range.size() != 2) {
    reader.add_fault(path, "found " + range.dump() + "; allowed: [lower, upper]");
    return;
  }
  try {
    validate(SyntheticRanges{.mean_lower = range[0].get<double>(),
                             .mean_upper = range[1].get<double>()});
  } catch (const InvalidArgument&) {
    reader.add_fault(path,
                     "found " + range.dump() +
                         "; allowed: [lower, upper] with lower <= upper, a finite distance apart");
  }
}

void check_published(const Json& published,
                     const std::vector<std::string>& compared,
                     ConfigReader& reader) {
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < published.size(); ++i) {
    const auto name = published[i].at("estimator").get<std::string>();
    const std::string path = "published[" + format_number(i) + "].estimator";
    if (std::find(compared.begin(), compared.end(), name) == compared.end()) {
      reader.add_fault(path,
                       "found " + in_quotes(name) +
                           "; allowed: an estimator compared with the truth: " + join(compared));
    }
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      reader.add_fault(path, "found " + in_quotes(name) + " twice");
    seen.push_back(name);
  }
}

}  // namespace

Variant estimation_variant() {
  Field published = field(
      "published", FieldType::kSectionList, "percentages shown beside those of this experiment");
  published.section = std::make_shared<const Section>(published_section());
  published.fallback = Json::array();
  return {"estimation",
          "estimators of the probability of maximality, compared on Gaussian vectors",
          {section_field("vectors", vectors_section(), "what the estimators are given"),
           std::move(published)}};
}

void check_estimation(const Json& config, ConfigReader& reader) {
  if (!reader.has_fault("vectors")) {
    const Json& vectors = config.at("vectors");
    check_sizes(vectors.at("sizes"), reader);
    check_range(vectors, "mean", reader);
    check_range(vectors, "stddev", reader);
  }
  if (reader.has_fault("track")) return;
  const Json& track = config.at("track");
  std::vector<std::string> names;
  std::vector<std::string> compared;
  for (const Json& section : track.at("estimators")) {
    names.push_back(section.at("name").get<std::string>());
    if (section.at("name") != track.at("truth")) compared.push_back(names.back());
  }
  if (track.at("truth").is_null()) {
    reader.add_fault("track.truth",
                     "is missing; allowed: the name of a tracked estimator: " + join(names));
  } else if (compared.empty()) {
    reader.add_fault("track.estimators",
                     "found the truth alone; allowed: one or more others to compare with it");
  } else if (!reader.has_fault("published")) {
    check_published(config.at("published"), compared, reader);
  }
}

SyntheticRanges to_synthetic_ranges(const Json& vectors) {
  const auto bound = [&](const char* key, std::size_t which) {
    return vectors.at(key).at(which).get<double>();
  };
  return {bound("mean", 0), bound("mean", 1), bound("stddev", 0), bound("stddev", 1)};
}

}  // namespace pomlux
