// SPDX-License-Identifier: MIT
#include <pomlux/gp/likelihood.hpp>
