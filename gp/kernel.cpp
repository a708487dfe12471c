// SPDX-License-Identifier: MIT
#include <pomlux/gp/kernel.hpp>
