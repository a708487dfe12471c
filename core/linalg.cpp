// SPDX-License-Identifier: MIT
#include <pomlux/core/linalg.hpp>
