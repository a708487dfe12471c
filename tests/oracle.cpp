// SPDX-License-Identifier: MIT
#include "oracle.hpp"

#include <fstream>
#include <stdexcept>

namespace pomlux::test {

nlohmann::json load_oracle(const std::string& name) {
  std::ifstream file(std::string(POMLUX_ORACLE_DIR) + "/" + name);
  if (!file) throw std::runtime_error("cannot open oracle " + name);
  return nlohmann::json::parse(file);
}

}  // namespace pomlux::test
