// SPDX-License-Identifier: MIT
#pragma once

#include <string>  // configurations
#include <vector>  // differences

namespace pomlux {

/// A key that two resolved configurations disagree on.
struct ConfigDifference {
  std::string key;    ///< "model.kernel.type"
  std::string there;  ///< value as written; empty if the key is absent
  std::string here;
};

/// Between two texts of to_yaml, in the order of the keys; `output`, which decides nothing, and
/// comments are left out.
[[nodiscard]] std::vector<ConfigDifference> config_differences(const std::string& there,
                                                               const std::string& here);
/// "model.kernel.type: matern52 there, matern32 here; ..."; at most three.
[[nodiscard]] std::string differences_text(const std::vector<ConfigDifference>& differences);
/// True if results of `there` are a beginning of those of `here`: more steps or more seeds.
[[nodiscard]] bool is_continuation(const std::vector<ConfigDifference>& differences);

}  // namespace pomlux
