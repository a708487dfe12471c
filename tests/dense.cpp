// SPDX-License-Identifier: MIT
#include "dense.hpp"

#include <Eigen/LU>

namespace pomlux::test {

Matrix inverse_by_lu(const Matrix& matrix) { return matrix.partialPivLu().inverse(); }

double determinant_by_lu(const Matrix& matrix) { return matrix.partialPivLu().determinant(); }

Matrix outer_product(const Matrix& a) { return a * a.transpose(); }

}  // namespace pomlux::test
