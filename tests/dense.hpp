// SPDX-License-Identifier: MIT
// Plain dense algebra to compare with. Compiled once, and optimised under sanitizers, too.
#pragma once

#include <pomlux/core/types.hpp>

namespace pomlux::test {

/// By LU with partial pivoting; of a regular matrix.
[[nodiscard]] Matrix inverse_by_lu(const Matrix& matrix);
[[nodiscard]] double determinant_by_lu(const Matrix& matrix);

/// A Aᵀ.
[[nodiscard]] Matrix outer_product(const Matrix& a);

}  // namespace pomlux::test
