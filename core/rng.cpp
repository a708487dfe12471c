// SPDX-License-Identifier: MIT
#include <pomlux/core/rng.hpp>
