#include "runtime/prefix_cache.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "runtime/common_prefix.hpp"

namespace heed::runtime {
namespace {

/// The maximum number of sequences, because each is compared with each prompt.
constexpr std::size_t kMost = 256;

/// The number of tokens of a text that the sequence has processed with these changes.
std::size_t read_of(std::span<const TokenId> text, const Changes& changes, const Sequence& sequence) {
  return std::min(common_prefix(text, sequence.tokens()), alike_until(changes, sequence.changes()));
}

}  // namespace

Sequence PrefixCache::find(std::span<const TokenId> prompt, const Changes& changes) {
  std::size_t most = 0;
  auto best = kept_.end();
  for (auto it = kept_.begin(); it != kept_.end(); ++it)
    if (const std::size_t length = read_of(prompt, changes, *it); length > most) {
      most = length;
      best = it;
    }
  if (best == kept_.end()) return Sequence(workspace_);
  kept_.splice(kept_.begin(), kept_, best);
  return kept_.front();
}

void PrefixCache::improve(Sequence& sequence, std::span<const TokenId> prompt, const Changes& changes) {
  Sequence other = find(prompt, changes);
  if (read_of(prompt, changes, other) > read_of(prompt, changes, sequence)) sequence = std::move(other);
}

void PrefixCache::keep(Sequence sequence) noexcept {
  // An encoder-decoder is not cached: the decoder's tokens do not identify the encoder's input.
  if (bytes_ == 0 || sequence.tokens().empty() || workspace_.model().encoder()) return;
  std::erase_if(kept_,
                [&](const Sequence& other) { return read_of(other.tokens(), other.changes(), sequence) == other.tokens().size(); });
  try {
    kept_.push_front(std::move(sequence));
  } catch (const std::bad_alloc&) {  // the prefix is then processed again
    return;
  }
  while (!kept_.empty() && (kept_.size() > kMost || used_bytes() > bytes_)) kept_.pop_back();
}

std::uint64_t PrefixCache::used_bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (const Sequence& sequence : kept_) bytes += sequence.share_bytes();
  return bytes;
}

bool PrefixCache::drop_oldest() {
  if (kept_.empty()) return workspace_.decoder_caches()->trim() > 0;
  kept_.pop_back();
  return true;
}

void PrefixCache::clear() {
  kept_.clear();
  if (nn::KvCachePool* caches = workspace_.decoder_caches()) caches->trim();
}

}  // namespace heed::runtime
