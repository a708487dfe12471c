// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
