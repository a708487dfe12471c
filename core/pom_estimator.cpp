// SPDX-License-Identifier: MIT
#include <pomlux/core/pom_estimator.hpp>
