// SPDX-License-Identifier: MIT
#include <pomlux/core/pom.hpp>
