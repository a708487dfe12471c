// SPDX-License-Identifier: MIT
#include <algorithm>  // std::find
#include <cmath>      // std::abs
#include <pomlux/core/errors.hpp>
#include <pomlux/core/sobol.hpp>
#include <pomlux/core/utf8.hpp>
#include <pomlux/experiments/config_checks.hpp>
#include <pomlux/experiments/config_domain_checks.hpp>
#include <pomlux/experiments/estimation_spec.hpp>
#include <pomlux/experiments/registry.hpp>
#include <pomlux/gp/gaussian_process.hpp>
#include <set>  // names

namespace pomlux {
namespace {

/// Names of folders are at most 255 bytes on the usual file systems; this leaves room for suffixes.
constexpr std::size_t kLongestName = 200;

bool is_folder_name(const std::string& name) {
  const bool has_odd_bytes = !is_utf8(name) || printable(name, name.size() + 1) != name;
  if (has_odd_bytes || !unusual_blank(name).empty()) return false;
  if (name.size() > kLongestName || name.find('/') != std::string::npos) return false;
  if (name.find_first_not_of('.') == std::string::npos) return false;  // empty, or only dots
  return name.front() != ' ' && name.back() != ' ';
}

void check_name(const Json& config, ConfigReader& reader) {
  const auto name = config.at("name").get<std::string>();
  if (is_folder_name(name)) return;
  reader.add_fault("name",
                   "found " + in_quotes(name) + " (" + count(name.size()) +
                       " bytes); allowed: 1 to " + count(kLongestName) +
                       " bytes of text on one line, without '/', without blanks around it and not "
                       "only dots, as it names the results folder");
}

void check_length_scale(const Json& kernel, const std::string& path, ConfigReader& reader) {
  if (kernel.contains("terms")) {
    const Json& terms = kernel.at("terms");
    if (terms.empty()) {
      reader.add_fault(path + ".terms", "found an empty list; allowed: at least one kernel");
    }
    for (std::size_t i = 0; i < terms.size(); ++i) {
      check_length_scale(terms[i], entry(path + ".terms", i), reader);
    }
    return;
  }
  if (kernel.at("length_scale").is_array() && kernel.contains("ard") &&
      !kernel.at("ard").get<bool>()) {
    reader.add_fault(path + ".length_scale",
                     "found a list; allowed: a number, or a list together with ard: true");
  }
}

void check_bounds(const Json& bounds, ConfigReader& reader) {
  for (const auto& [name, range] : bounds.items()) {
    if (range.is_null()) continue;
    const bool is_pair = range.size() == 2;
    if (is_pair && range[0].get<double>() <= range[1].get<double>() && range[1].get<double>() > 0) {
      continue;
    }
    reader.add_fault(
        "model.fit.bounds." + name,
        "found " + range.dump() + "; allowed: [lower, upper] with lower <= upper, upper > 0");
  }
}

void check_priors(const Json& fit, ConfigReader& reader) {
  const Json& fitted = fit.at("parameters");
  for (const auto& [name, prior] : fit.at("priors").items()) {
    if (!prior.is_array()) continue;
    const bool is_fitted =
        fit.at("method") != "none" && std::find(fitted.begin(), fitted.end(), name) != fitted.end();
    if (!is_fitted) {
      reader.add_fault("model.fit.priors." + name,
                       "found a prior of what is not fitted; allowed: priors of parameters, with a "
                       "method other than none");
    }
    if (prior.size() == 2 && prior[0] > 0.0 && prior[1] > 0.0) continue;
    reader.add_fault("model.fit.priors." + name,
                     "found " + prior.dump() + "; allowed: [median, log_stddev], both > 0");
  }
}

/// What the method would leave unused.
void check_fit_method(const Json& model, ConfigReader& reader) {
  const Json& fit = model.at("fit");
  const std::string path = "model.fit.";
  if (fit.at("method") != "adam") {
    const double usual = FitOptions{}.learning_rate;
    if (fit.at("learning_rate") == usual) return;
    reader.add_fault(path + "learning_rate",
                     "found " + format_number(fit.at("learning_rate").get<double>()) +
                         "; allowed: " + format_number(usual) + ", or method: adam");
    return;
  }
  const auto refuse = [&](const std::string& key, const Json& found, const Json& allowed) {
    if (found == allowed) return;
    reader.add_fault(path + key,
                     "found " + found.dump() + "; allowed: " + allowed.dump() +
                         ", as method: adam does not use it");
  };
  refuse("restarts", fit.at("restarts"), 0);
  for (const auto& [name, range] : fit.at("bounds").items()) refuse("bounds." + name, range, {});
  for (const auto& [name, prior] : fit.at("priors").items()) {
    refuse("priors." + name, prior, name == "others" ? Json("none") : Json());
  }
  const Json& fitted = fit.at("parameters");
  const bool is_noise_fitted =
      std::find(fitted.begin(), fitted.end(), "noise_stddev") != fitted.end();
  if (model.at("noise_stddev") == 0.0 && is_noise_fitted) {
    reader.add_fault("model.noise_stddev",
                     "found 0; allowed: > 0, as method: adam fits its logarithm from there");
  }
}

void check_model(Json& config, const std::optional<Domain>& domain, ConfigReader& reader) {
  if (reader.has_fault("model")) return;
  Json& model = config.at("model");
  model["scale_inputs"] = scales_inputs(model);
  Json& iterations = model.at("fit").at("max_iterations");
  if (iterations.is_null()) {
    FitOptions options;
    if (model.at("fit").at("method") == "adam") options.method = FitMethod::kAdam;
    iterations = options.iteration_limit();
  }
  check_length_scale(model.at("kernel"), "model.kernel", reader);
  check_bounds(model.at("fit").at("bounds"), reader);
  check_priors(model.at("fit"), reader);
  check_fit_method(model, reader);
  if (reader.has_fault("model") || !domain) return;
  guarded(reader, "model.kernel", [&] {
    static_cast<void>(make_model(model, encoded_domain(config.at("domain"), *domain)));
  });
}

void check_penalty(const Json& objective, ConfigReader& reader) {
  const bool is_needed = objective.at("on_failure") == "penalise";
  const bool is_given = !objective.at("penalty").is_null();
  if (is_needed && !is_given) {
    reader.add_fault("objective.penalty",
                     "is missing; allowed: a number, as on_failure is penalise");
  } else if (is_given && !is_needed) {
    reader.add_fault("objective.penalty",
                     "found " + format_number(objective.at("penalty").get<double>()) +
                         "; allowed: null, or on_failure: penalise");
  } else if (is_given && std::abs(objective.at("penalty").get<double>()) > kLargestObservation) {
    reader.add_fault("objective.penalty",
                     "found " + format_number(objective.at("penalty").get<double>()) +
                         "; allowed: a number of size <= " + format_number(kLargestObservation));
  }
}

/// A value without its rule, or the rule without a value.
void check_incumbent(const Json& acquisition, ConfigReader& reader) {
  if (!acquisition.contains("incumbent")) return;
  const Json& value = acquisition.at("incumbent_value");
  const bool is_needed = acquisition.at("incumbent") == "given";
  if (is_needed && value.is_null()) {
    reader.add_fault("acquisition.incumbent_value",
                     "is missing; allowed: a number, as incumbent is given");
  } else if (!is_needed && !value.is_null()) {
    reader.add_fault(
        "acquisition.incumbent_value",
        "found " + format_number(value.get<double>()) + "; allowed: null, or incumbent: given");
  }
}

/// Answers of a table are no coordinate of the domain: two sections that disagree about the column
/// would make the values a coordinate, or the other way round.
void check_value_column(const Json& config, const Domain& domain, ConfigReader& reader) {
  const Json& objective = config.at("objective");
  if (objective.at("type") != "table") return;
  const auto name = objective.at("value").get<std::string>();
  if (std::find(domain.names().begin(), domain.names().end(), name) == domain.names().end()) return;
  const Json& section = config.at("domain");
  const bool has_own = section.at("type") == "table";
  reader.add_fault(
      "objective.value",
      "found " + in_quotes(name) + ", a coordinate of the domain" +
          (has_own ? ", as domain.value is " + in_quotes(section.at("value").get<std::string>())
                   : "") +
          "; allowed: a column that is no coordinate" +
          (has_own ? ", or the same in both; domain.value can be left out" : ""));
}

void check_objective_and_rule(const Json& config,
                              const std::optional<Domain>& domain,
                              ObjectiveUse use,
                              ConfigReader& reader) {
  const Json& objective = config.at("objective");
  if (!reader.has_fault("objective")) {
    check_penalty(objective, reader);
    if (objective.contains("kernel")) {
      check_length_scale(objective.at("kernel"), "objective.kernel", reader);
    }
    if (domain) check_value_column(config, *domain, reader);
    if (domain && is_box(config.at("domain")) && is_tied_to_candidates(objective)) {
      reader.add_fault("objective.type",
                       "found " + objective.at("type").get<std::string>() +
                           ", which is known at the candidates of a finite domain alone; allowed "
                           "with domain.type box: a test function or command");
    }
    if (domain && use == ObjectiveUse::kEvaluated && !reader.has_fault("objective")) {
      std::string path = "objective";  // the key that the plug-in is about, where there is one
      for (const char* key : {"path", "command"}) {
        if (objective.contains(key)) path = std::string("objective.") + key;
      }
      guarded(reader, path, [&] { check_objective(objective_section(config), *domain); });
    }
  }
  if (!reader.has_fault("acquisition")) check_incumbent(config.at("acquisition"), reader);
  if (!domain || reader.has_fault("acquisition")) return;
  const Json& acquisition = config.at("acquisition");
  // What a rule refuses about the estimator behind it is said there.
  const std::string path =
      acquisition.contains("estimator") ? "acquisition.estimator" : "acquisition";
  guarded(reader, path, [&] { check_acquisition(acquisition, *domain); });
}

void check_initial_candidates(const Json& budget,
                              const std::optional<Domain>& domain,
                              ConfigReader& reader) {
  const Json& indices = budget.at("initial_candidates");
  std::set<Index> seen;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Index index = indices[i].get<Index>();
    const std::string path = entry("budget.initial_candidates", i);
    if (domain && index >= domain->size()) {
      reader.add_fault(path,
                       "found " + std::to_string(index) + "; allowed: an index from 0 to " +
                           std::to_string(domain->size() - 1));
    }
    if (!seen.insert(index).second && !budget.at("repeats").get<bool>()) {
      reader.add_fault(path,
                       "found " + std::to_string(index) + " twice; allowed with repeats: true");
    }
  }
}

void check_budget(Json& config, const std::optional<Domain>& domain, ConfigReader& reader) {
  if (reader.has_fault("budget")) return;
  Json& budget = config.at("budget");
  const bool is_over_box = is_box(config.at("domain"));
  if (is_over_box && !budget.at("initial_candidates").empty()) {
    reader.add_fault("budget.initial_candidates",
                     "found candidates; allowed: none, as a box has no numbered ones");
  }
  check_initial_candidates(budget, domain, reader);
  const auto listed = static_cast<Index>(budget.at("initial_candidates").size());
  if (listed > 0 && !reader.is_given("budget.initial")) budget["initial"] = listed;
  const Index initial = budget.at("initial").get<Index>();
  if (listed > 0 && initial != listed) {
    reader.add_fault("budget.initial",
                     "found " + std::to_string(initial) + "; allowed: " + std::to_string(listed) +
                         ", as initial_candidates has that many");
  } else if (domain && !is_over_box && initial > domain->size() &&
             !budget.at("repeats").get<bool>()) {
    reader.add_fault("budget.initial",
                     "found " + std::to_string(initial) + "; allowed: at most " +
                         std::to_string(domain->size()) +
                         ", the number of candidates, unless repeats: true");
  }
  const bool is_sobol = budget.at("initial_design") == "sobol";
  if (is_sobol && initial > 0 && domain && domain->dimension() > kMaxSobolDimension) {
    reader.add_fault("budget.initial_design",
                     "found sobol in " + format_number(domain->dimension()) +
                         " dimensions; allowed: at most " + format_number(kMaxSobolDimension));
  }
}

bool is_file_word(const std::string& name) {
  return name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") ==
         std::string::npos;
}

void check_track(Json& config, const std::optional<Domain>& domain, ConfigReader& reader) {
  if (reader.has_fault("track")) return;
  Json& track = config.at("track");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < track.at("estimators").size(); ++i) {
    Json& section = track.at("estimators")[i];
    const std::string path = entry("track.estimators", i);
    if (section.at("name").is_null()) section["name"] = section.at("type");
    const auto name = section.at("name").get<std::string>();
    if (!is_file_word(name)) {
      reader.add_fault(path + ".name",
                       "found " + in_quotes(name) + "; allowed: letters, digits, '_', '-' and '.'");
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      reader.add_fault(
          path, "found the name " + in_quotes(name) + " twice; give one of them a name of its own");
    }
    names.push_back(name);
    guarded(reader, path, [&] {
      static_cast<void>(make_estimator(section));
      if (domain) check_estimator(section, *domain);
    });
  }
  const Json& truth = track.at("truth");
  if (!truth.is_null() && std::find(names.begin(), names.end(), truth) == names.end()) {
    reader.add_fault("track.truth",
                     "found " + in_quotes(truth.get<std::string>()) +
                         "; allowed: the name of a tracked estimator: " + join(names));
  }
  if (track.at("recall").get<bool>() && truth.is_null()) {
    reader.add_fault("track.recall", "found true; allowed: false, or together with truth");
  }
}

/// What looks at posteriors of an optimisation means nothing for estimation.
void check_track_of_estimation(const Json& track, ConfigReader& reader) {
  if (reader.has_fault("track")) return;
  if (!track.at("steps").is_null()) {
    reader.add_fault("track.steps", "found a list; allowed: null, as there are no queries");
  }
  if (track.at("recall").get<bool>()) {
    reader.add_fault("track.recall", "found true; allowed: false for type estimation");
  }
}

void check_tracked_steps(const Json& config, ConfigReader& reader) {
  if (reader.has_fault("track") || reader.has_fault("budget")) return;
  const Json& steps = config.at("track").at("steps");
  if (steps.is_null()) return;
  const auto queries = config.at("budget").at("steps").get<Index>();
  std::set<Index> seen;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto step = steps[i].get<Index>();
    if (!seen.insert(step).second) {
      reader.add_fault(entry("track.steps", i), "found " + format_number(step) + " twice");
    } else if (step >= queries) {
      reader.add_fault(entry("track.steps", i),
                       "found " + format_number(step) + "; allowed: from 0 to " +
                           format_number(queries - 1) + ", as budget.steps is " +
                           format_number(queries));
    }
  }
}

}  // namespace

void check_experiment(Experiment& experiment, ConfigReader& reader, ObjectiveUse use) {
  Json& config = experiment.config;
  if (!reader.has_fault("name")) check_name(config, reader);
  if (reader.has_fault("type")) return;  // what else there should be is not known
  if (is_estimation(experiment)) {
    check_track(config, std::nullopt, reader);
    check_track_of_estimation(config.at("track"), reader);
    check_estimation(config, reader);
    return;
  }
  const std::optional<Domain> domain = check_domain(config, reader);
  check_objective_and_rule(config, domain, use, reader);
  check_model(config, domain, reader);
  check_budget(config, domain, reader);
  check_track(config, domain, reader);
  check_tracked_steps(config, reader);
  if (domain && !depends_on_seed(config.at("domain"))) experiment.fixed_domain = domain;
}

}  // namespace pomlux
