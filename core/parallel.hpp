// SPDX-License-Identifier: MIT
#pragma once

#include <functional>  // loop bodies
#include <pomlux/core/types.hpp>

namespace pomlux {

/// Most threads that can be asked for.
inline constexpr int kMaxThreads = 1024;

/// Runs `body` with at most `threads` threads for every parallel loop inside it, and never more
/// than one per core that this process may use; 0 means one per core. Exceptions of `body` reach
/// the caller. Changes no global thread count. @throws InvalidArgument if threads is not in
/// 0..kMaxThreads.
void with_threads(int threads, const std::function<void()>& body);

/// Threads that a parallel loop started here would use at most.
[[nodiscard]] int available_threads();

/// Calls body(begin, end) for the fixed chunks [0, chunk), [chunk, 2 chunk), ... of [0, n), in
/// parallel in the caller's arena. The chunks depend on n and `chunk` alone, so a body that writes
/// only its own slots gives the same bits on any number of threads. Loops may be nested. One
/// exception of a body reaches the caller; chunks not yet begun may then be skipped. @throws
/// InvalidArgument if n < 0 or chunk < 1.
void parallel_for(Index n, Index chunk, const std::function<void(Index begin, Index end)>& body);

/// Sum over the same fixed chunks, added in index order: the same bits on any number of threads.
[[nodiscard]] double parallel_sum(Index n,
                                  Index chunk,
                                  const std::function<double(Index begin, Index end)>& partial);

}  // namespace pomlux
