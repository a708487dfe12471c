// SPDX-License-Identifier: MIT
#include <unistd.h>  // gethostname

#include <Eigen/Core>         // version
#include <array>              // buffers
#include <boost/version.hpp>  // version
#include <ctime>              // UTC
#include <nlohmann/json.hpp>  // version
#include <pomlux/core/isa.hpp>
#include <pomlux/experiments/build_info.hpp>

namespace pomlux {
namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

BuildInfo make_build_info() {
  BuildInfo info;
  info.version = POMLUX_VERSION;
  info.type = POMLUX_BUILD_TYPE;
  info.compiler = POMLUX_COMPILER;
  info.flags = POMLUX_BUILD_FLAGS;
  info.isa = active_isa();
  info.dependencies = {
      {"eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"tbb", POMLUX_TBB_VERSION},
      {"lbfgspp", "unknown"},  // headers without a version
      {"yaml-cpp", POMLUX_YAML_CPP_VERSION},
      {"cli11", POMLUX_CLI11_VERSION},
      {"nlohmann_json",
       dotted(
           NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)}};
  return info;
}

}  // namespace

const BuildInfo& build_info() {
  static const BuildInfo info = make_build_info();
  return info;
}

std::string host_name() {
  std::array<char, 256> buffer{};
  if (gethostname(buffer.data(), buffer.size() - 1) != 0) return "unknown";
  return buffer.data();
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> buffer{};
  const std::size_t length =
      std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {buffer.data(), length};
}

}  // namespace pomlux
