// SPDX-License-Identifier: MIT
#include <pomlux/core/parallel.hpp>
