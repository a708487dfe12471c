// SPDX-License-Identifier: MIT
#include <pomlux/core/gaussian_vector.hpp>
