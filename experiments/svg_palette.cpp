// SPDX-License-Identifier: MIT
#include <algorithm>  // std::clamp
#include <array>      // colour tables
#include <cmath>      // std::lround
#include <pomlux/experiments/svg_palette.hpp>

namespace pomlux::figures {
namespace {

constexpr std::array<const char*, 7> kSeries = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444"};

constexpr std::array<std::array<double, 3>, 10> kMap = {{{68, 1, 84},
                                                         {72, 40, 120},
                                                         {62, 74, 137},
                                                         {49, 104, 142},
                                                         {38, 130, 142},
                                                         {31, 158, 137},
                                                         {53, 183, 121},
                                                         {110, 206, 88},
                                                         {181, 222, 43},
                                                         {253, 231, 37}}};

}  // namespace

std::string series_color(std::size_t index) { return kSeries[index % kSeries.size()]; }

std::string map_color(double fraction) {
  const double position = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(kMap.size() - 1);
  const auto lower = std::min(static_cast<std::size_t>(position), kMap.size() - 2);
  const double weight = position - static_cast<double>(lower);
  constexpr const char* kHex = "0123456789abcdef";
  std::string color = "#";
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const double value = (1.0 - weight) * kMap[lower][channel] + weight * kMap[lower + 1][channel];
    const auto byte = static_cast<std::size_t>(std::lround(value));
    color += kHex[byte / 16];
    color += kHex[byte % 16];
  }
  return color;
}

}  // namespace pomlux::figures
