#include "runtime/drafts/head_drafter.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "runtime/sequence.hpp"

namespace heed::runtime {
namespace {

nn::ScratchNeed need_of(const nn::DraftHeads& heads, const Workspace& workspace) {
  const ModelInfo& info = workspace.model().info();
  return nn::DraftHeads::need(heads.spec(), {heads.spec().stack.width, std::min(kMaxBatch, info.context_length * info.parallel),
                                             info.context_length, workspace.model().pool().threads(), info.parallel});
}

}  // namespace

/// Rows of several sequences, whose keys and values are stored together.
class HeadDrafter::Rows {
 public:
  Rows(HeadDrafter& drafter, const nn::Pass& pass) : drafter_(drafter), pass_(pass) {}

  void add(const nn::Segment& of, std::span<const tokenizer::TokenId> tokens, DraftMemory& memory) {
    const std::size_t width = drafter_.width_;
    for (std::size_t t = 0; t < of.count; ++t) {
      if (t == 0 || tokens_.empty())
        segments_.push_back({.cache = *memory.cache, .position = of.position + t, .row = tokens_.size()});
      const std::size_t row = of.row + t;
      const float* const before = t == 0 ? memory.before(of.position) : pass_.handed + (row - 1) * width;
      if (before) before_.insert(before_.end(), before, before + width);
      else before_.resize(before_.size() + width);
      tokens_.push_back(tokens[row]);
      coordinates_.push_back(pass_.coordinates ? pass_.coordinates[row] : nn::Coordinates{});
      pictures_.push_back(pass_.picture_row(row));
      ++segments_.back().count;
      if (tokens_.size() == std::min(kMaxBatch, drafter_.workspace_.model().info().context_length)) store();
    }
  }
  void store() {
    if (tokens_.empty()) return;
    nn::Pass pass{.kernels = pass_.kernels, .pool = pass_.pool, .scratch = drafter_.scratch_, .segments = segments_,
                  .tokens = tokens_.size()};
    if (pass_.coordinates) pass.coordinates = coordinates_.data();
    if (pass_.pictures) pass.pictures = pictures_.data();
    drafter_.heads_.remember(tokens_, before_.data(), pass);
    segments_.clear();
    tokens_.clear();
    before_.clear();
    coordinates_.clear();
    pictures_.clear();
  }

 private:
  HeadDrafter& drafter_;
  const nn::Pass& pass_;
  std::vector<nn::Segment> segments_;
  std::vector<tokenizer::TokenId> tokens_;
  std::vector<float> before_;
  std::vector<nn::Coordinates> coordinates_;
  std::vector<const float*> pictures_;
};

HeadDrafter::HeadDrafter(Workspace& workspace, const Model& file, std::shared_ptr<const Model> owner)
    : workspace_(workspace),
      owner_(std::move(owner)),
      heads_(*file.draft()),
      width_(heads_.spec().stack.width),
      need_(need_of(heads_, workspace)),
      pool_(nn::DraftHeads::cache_layers(heads_.spec()), workspace.model().info().kv_cache, false, workspace.decoder_caches()),
      scratch_(need_, workspace.model().pool().threads(), workspace.model().kernels()),
      logits_(workspace.model().info().vocabulary) {}

std::uint64_t HeadDrafter::bytes() const noexcept {
  return nn::Scratch::bytes(need_, workspace_.model().pool().threads(), workspace_.model().kernels()) +
         logits_.size() * sizeof(float) + (owner_ ? owner_->info().memory_bytes : 0);
}

DraftMemory HeadDrafter::memory() {
  DraftMemory memory;
  memory.cache.emplace(pool_);
  memory.width = width_;
  memory.fingerprint = (owner_ ? *owner_ : workspace_.model()).info().fingerprint;
  return memory;
}

void HeadDrafter::follow(std::span<const tokenizer::TokenId> tokens, const nn::Pass& pass, std::span<DraftMemory* const> memories) {
  Rows rows(*this, pass);
  const auto reads = [&](std::size_t i) { return memories[i]->cache && memories[i]->cache->length() == pass.segments[i].position; };
  for (std::size_t i = 0; i < memories.size(); ++i)
    if (reads(i)) rows.add(pass.segments[i], tokens, *memories[i]);
  rows.store();
  for (std::size_t i = 0; i < memories.size(); ++i) {
    const nn::Segment& segment = pass.segments[i];
    if (!reads(i)) continue;
    memories[i]->cache->wrote(segment.end());
    keep_last(*memories[i], pass, segment);
  }
}

DraftStart HeadDrafter::begin(Sequence& sequence, std::span<const tokenizer::TokenId> text, std::size_t most) try {
  DraftMemory& memory = sequence.drafts();
  position_ = text.size() - 1;
  cache_ = nullptr;
  if (!memory.cache || memory.cache->length() != position_ || sequence.tokens().size() != position_) return DraftStart::never;
  if (position_ + most > workspace_.model().info().context_length) return DraftStart::later;
  memory.cache->make_room(position_ + most);
  tokens_.clear();
  const float* const before = memory.before(position_);
  before_.assign(width_, 0.0f);
  if (before) std::copy_n(before, width_, before_.data());
  cache_ = &*memory.cache;
  return DraftStart::ready;
} catch (const std::bad_alloc&) {
  return DraftStart::later;
}

/// A single head reads one token, at the position after the one before. Of several, each reads all tokens again.
std::span<const float> HeadDrafter::next(tokenizer::TokenId id) {
  const bool chained = heads_.count() > 1;
  const std::size_t step = tokens_.size(), head = chained ? std::min(step, heads_.count() - 1) : 0;
  tokens_.push_back(id);
  const std::size_t first = chained ? 0 : step;
  nn::Segment segment{.cache = *cache_, .position = position_ + first, .count = step + 1 - first};
  nn::Pass pass{.kernels = workspace_.model().kernels(), .pool = workspace_.model().pool(), .scratch = scratch_,
                .segments = {&segment, 1}, .tokens = segment.count};
  handed_.resize(segment.count * width_);
  workspace_.use_decode_threads();
  heads_.forward(head, std::span(tokens_).subspan(first), before_.data() + first * width_, handed_.data(), logits_.data(), pass);
  before_.insert(before_.end(), handed_.end() - static_cast<std::ptrdiff_t>(width_), handed_.end());
  return logits_;
}

}  // namespace heed::runtime
