// SPDX-License-Identifier: MIT
#include <pomlux/acquisition/expected_improvement.hpp>
