// SPDX-License-Identifier: MIT
#include <tbb/global_control.h>  // threads that may be used
#include <tbb/parallel_for.h>    // loops
#include <tbb/task_arena.h>      // thread limits without global state

#include <algorithm>  // std::min
#include <numeric>    // std::accumulate
#include <pomlux/core/errors.hpp>
#include <pomlux/core/parallel.hpp>
#include <vector>  // partial sums

namespace pomlux {
namespace {

Index count_chunks(std::string_view where, Index n, Index chunk) {
  if (n < 0) fail(where, "n is " + format_number(n) + "; must be >= 0");
  if (chunk < 1) fail(where, "chunk is " + format_number(chunk) + "; must be >= 1");
  return n / chunk + (n % chunk != 0 ? 1 : 0);
}

}  // namespace

void with_threads(int threads, const std::function<void()>& body) {
  if (threads < 0 || threads > kMaxThreads) {
    fail("with_threads",
         "threads is " + format_number(threads) + "; must be in 0.." + format_number(kMaxThreads) +
             " (0: one per core)");
  }
  // Asked for more threads than it has, TBB would write a warning to stderr.
  const auto available = static_cast<int>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
  tbb::task_arena arena(threads == 0 ? available : std::min(threads, available));
  arena.execute(body);
}

int available_threads() { return tbb::this_task_arena::max_concurrency(); }

void parallel_for(Index n, Index chunk, const std::function<void(Index, Index)>& body) {
  const Index chunks = count_chunks("parallel_for", n, chunk);
  const auto run = [&](Index c) { body(c * chunk, c * chunk + std::min(chunk, n - c * chunk)); };
  if (chunks <= 1 || available_threads() <= 1) {
    for (Index c = 0; c < chunks; ++c) run(c);
    return;
  }
  // Isolated: a thread that waits here takes no unrelated outer task, which could reuse its
  // buffers.
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(Index{0}, chunks, run); });
}

double parallel_sum(Index n, Index chunk, const std::function<double(Index, Index)>& partial) {
  const Index chunks = count_chunks("parallel_sum", n, chunk);
  if (chunks == 0) return 0.0;
  if (chunks == 1) return partial(0, n);
  std::vector<double> parts(static_cast<std::size_t>(chunks));
  parallel_for(n, chunk, [&](Index begin, Index end) {
    parts[static_cast<std::size_t>(begin / chunk)] = partial(begin, end);
  });
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace pomlux
