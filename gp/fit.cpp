// SPDX-License-Identifier: MIT
#include <pomlux/gp/gaussian_process.hpp>
