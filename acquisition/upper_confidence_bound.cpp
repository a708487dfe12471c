// SPDX-License-Identifier: MIT
#include <pomlux/acquisition/upper_confidence_bound.hpp>
