// SPDX-License-Identifier: Apache-2.0
// new and delete of the program `sim`: lists of free blocks per thread instead of malloc.
//
// One history allocates and frees a million small blocks, all in one thread. With malloc that was
// 15 % of the time of the simulation.
//
// Guarantees  new and delete as the standard defines them; a block may be freed by any thread.
// Does not    return small blocks to the system, or replace new under a sanitizer, which has its own.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SIM_KEEPS_MALLOC
#endif

#ifndef SIM_KEEPS_MALLOC

namespace {

// A span contains blocks of one size. It begins at a multiple of kSpan, so that the address of a
// block gives its span, which contains the size.
constexpr std::size_t kStep = 16;
constexpr std::size_t kLargest = 1024;  // larger blocks come from malloc
constexpr std::size_t kSizes = kLargest / kStep;
constexpr std::size_t kSpan = std::size_t{64} << 10U;
// Address space; memory is allocated when a span is used. Blocks that do not fit come from malloc.
constexpr std::size_t kRegion = std::size_t{16} << 30U;

struct Block {
  Block* next;
};
struct alignas(kStep) Span {
  std::size_t index;  // of the block size
};

// All spans are in one region, which distinguishes their blocks from those of malloc.
constinit std::atomic<std::uintptr_t> region_begin = 0;
constinit std::atomic<std::uintptr_t> region_end = 0;
constinit std::atomic<std::uintptr_t> next_span = 0;

struct Lists {
  std::array<Block*, kSizes> free;
  std::array<std::uintptr_t, kSizes> unused;      // unused part of the latest span
  std::array<std::uintptr_t, kSizes> unused_end;  // equal to `unused`: none
};
constinit thread_local Lists lists{};

void reserve_region() {
  void* begin = mmap(nullptr,
                     kRegion + kSpan,
                     PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1,
                     0);
  if (begin == MAP_FAILED) return;
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + kSpan - 1) / kSpan * kSpan;
  next_span = first;
  region_begin = first;
  region_end = first + kRegion;
}

void* from_malloc(std::size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

// Returns false if the region has no space for another span.
bool add_span(std::size_t index) {
  [[maybe_unused]] static const bool reserved = (reserve_region(), true);
  const std::uintptr_t span = next_span.fetch_add(kSpan);
  if (span == 0 || span >= region_end || span < region_begin) return false;
  new (reinterpret_cast<void*>(span)) Span{index};
  const std::size_t size = (index + 1) * kStep;
  lists.unused[index] = span + sizeof(Span);
  lists.unused_end[index] = lists.unused[index] + (kSpan - sizeof(Span)) / size * size;
  return true;
}

void* take_unused(std::size_t index) {
  if (lists.unused[index] == lists.unused_end[index] && !add_span(index))
    return from_malloc((index + 1) * kStep);
  const std::uintptr_t block = lists.unused[index];
  lists.unused[index] += (index + 1) * kStep;
  return reinterpret_cast<void*>(block);
}

}  // namespace

void* operator new(std::size_t size) {
  if (size > kLargest) return from_malloc(size);
  const std::size_t index = size == 0 ? 0 : (size - 1) / kStep;
  Block* block = lists.free[index];
  if (block == nullptr) return take_unused(index);
  lists.free[index] = block->next;
  return block;
}

void operator delete(void* block) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  if (address < region_begin.load(std::memory_order_relaxed) ||
      address >= region_end.load(std::memory_order_relaxed))
    return std::free(block);
  const auto* span = reinterpret_cast<const Span*>(address / kSpan * kSpan);
  lists.free[span->index] = new (block) Block{lists.free[span->index]};
}

void operator delete(void* block, std::size_t) noexcept {
  operator delete(block);
}

#endif
