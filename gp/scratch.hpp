// SPDX-License-Identifier: MIT
#pragma once
// Private to gp: memory of evaluations that is used again.

#include <pomlux/core/types.hpp>
#include <vector>  // arrays

namespace pomlux {

/// A stack of arrays that keep their memory when they are given back: the same requests in the same
/// order allocate once. For one thread at a time.
class Scratch {
 public:
  /// Gives back, when it goes, what was taken after it was made. Frames nest.
  class Frame {
   public:
    explicit Frame(Scratch& scratch) : scratch_(scratch), taken_(scratch.taken_) {}
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    ~Frame() { scratch_.taken_ = taken_; }

    /// Not initialised; valid until the frame goes, whatever is taken meanwhile.
    [[nodiscard]] Eigen::Map<Vector> vector(Index n) { return {scratch_.take(n), n}; }
    [[nodiscard]] Eigen::Map<Matrix> matrix(Index rows, Index columns) {
      return {scratch_.take(rows * columns), rows, columns};
    }

   private:
    Scratch& scratch_;
    std::size_t taken_;
  };

 private:
  [[nodiscard]] double* take(Index n) {
    if (taken_ == arrays_.size()) arrays_.emplace_back();
    std::vector<double>& array = arrays_[taken_++];  // moving a vector keeps where its entries are
    if (array.size() < static_cast<std::size_t>(n)) array.resize(static_cast<std::size_t>(n));
    return array.data();
  }

  std::vector<std::vector<double>> arrays_;
  std::size_t taken_ = 0;
};

/// The lower triangle of a kernel's matrix and of something that its gradient is made of, column
/// after column, [n (n + 1) / 2] each; of a kernel that is made of others, theirs.
struct KernelValues {
  std::vector<double> values, slopes;
  std::vector<KernelValues> terms;
};

}  // namespace pomlux
