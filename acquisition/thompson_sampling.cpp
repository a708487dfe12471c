// SPDX-License-Identifier: MIT
#include <pomlux/acquisition/thompson_sampling.hpp>
