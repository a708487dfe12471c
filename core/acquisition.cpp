// SPDX-License-Identifier: MIT
#include <pomlux/core/acquisition.hpp>
