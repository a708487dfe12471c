// SPDX-License-Identifier: MIT
#include <pomlux/core/optimizer.hpp>
