#include "runtime/prefix_cache.hpp"

#include <algorithm>
#include <utility>

#include "runtime/common_prefix.hpp"

namespace heed::runtime {
namespace {

/// The maximum number of sequences: all are compared with each prompt.
constexpr std::size_t kMost = 256;

}  // namespace

Sequence PrefixCache::find(std::span<const TokenId> prompt) {
  std::size_t most = 0;
  auto best = kept_.end();
  for (auto it = kept_.begin(); it != kept_.end(); ++it)
    if (const std::size_t length = common_prefix(prompt, it->tokens()); length > most) {
      most = length;
      best = it;
    }
  if (best == kept_.end()) return Sequence(workspace_);
  kept_.splice(kept_.begin(), kept_, best);
  return kept_.front();
}

void PrefixCache::improve(Sequence& sequence, std::span<const TokenId> prompt) {
  Sequence other = find(prompt);
  if (common_prefix(other.tokens(), prompt) > common_prefix(sequence.tokens(), prompt)) sequence = std::move(other);
}

void PrefixCache::keep(Sequence sequence) {
  // The decoder's tokens do not identify what its encoder has read.
  if (bytes_ == 0 || sequence.tokens().empty() || workspace_.model().encoder()) return;
  std::erase_if(kept_,
                [&](const Sequence& other) { return common_prefix(other.tokens(), sequence.tokens()) == other.tokens().size(); });
  kept_.push_front(std::move(sequence));
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
