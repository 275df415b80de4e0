// The drafts' part of saved sessions, which is skipped without drafts.
#include "runtime/drafts/memory.hpp"

#include <cstring>
#include <stdexcept>

namespace heed::runtime {
namespace {

/// The beginning of the drafts' part, followed by the row of the last token, if any, and the cache.
struct DraftHeader {
  std::uint64_t bytes = 0;  // size of all that follows the header
  std::uint64_t fingerprint = 0;
  std::uint64_t rows = 0;
};

}  // namespace

void DraftMemory::save(std::vector<std::byte>& saved, std::size_t length, const kernels::Kernels& kernels, ThreadPool& pool) const {
  if (!reaches(length)) return;
  const float* const row = before(length);
  DraftHeader header{0, fingerprint, row ? 1u : 0u};
  const std::size_t begin = saved.size();
  saved.resize(begin + sizeof(DraftHeader) + static_cast<std::size_t>(header.rows) * width * sizeof(float));
  if (row) std::memcpy(saved.data() + begin + sizeof(DraftHeader), row, width * sizeof(float));
  if (cache) cache->save(saved, kernels, pool);
  header.bytes = saved.size() - begin - sizeof(DraftHeader);
  std::memcpy(saved.data() + begin, &header, sizeof(DraftHeader));
}

std::size_t DraftMemory::load(std::span<const std::byte> saved, std::size_t length, const kernels::Kernels& kernels,
                              ThreadPool& pool) {
  if (saved.empty()) return 0;
  DraftHeader header;
  if (saved.size() < sizeof(DraftHeader)) throw std::out_of_range("ends early");
  std::memcpy(&header, saved.data(), sizeof(DraftHeader));
  saved = saved.subspan(sizeof(DraftHeader));
  if (header.bytes > saved.size()) throw std::out_of_range("ends early");
  const std::size_t all = sizeof(DraftHeader) + static_cast<std::size_t>(header.bytes);
  if (width == 0 || header.fingerprint != fingerprint) return all;
  saved = saved.first(static_cast<std::size_t>(header.bytes));
  const std::uint64_t row_bytes = header.rows * width * sizeof(float);
  if (header.rows > 1 || row_bytes > saved.size()) throw std::out_of_range("has rows of no token");
  if (header.rows == 1) {
    rows.resize(width);
    std::memcpy(rows.data(), saved.data(), width * sizeof(float));
    end = length;
  }
  saved = saved.subspan(static_cast<std::size_t>(row_bytes));
  if ((cache ? cache->load(saved, length - lag, kernels, pool) : 0) != saved.size())
    throw std::out_of_range("has more than it says");
  return all;
}

}  // namespace heed::runtime
