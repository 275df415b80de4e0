#include "runtime/drafts/head_drafter.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <utility>

#include "runtime/sequence.hpp"

namespace heed::runtime {
namespace {

nn::ScratchNeed need_of_heads(const nn::Drafts& heads, const Workspace& workspace) {
  const ModelInfo& info = workspace.model().info();
  return heads.need({heads.spec().stack.width, std::min(kMaxBatch, info.context_length * info.parallel), info.context_length,
                     workspace.model().pool().threads(), info.parallel});
}

}  // namespace

/// Collects rows of several sequences, and stores their keys and values together.
class HeadDrafter::Rows {
 public:
  /// handed: one row for each of the pass's tokens.
  Rows(HeadDrafter& drafter, const nn::Pass& pass, const float* handed) : drafter_(drafter), pass_(pass), handed_(handed) {}

  void add(const nn::Segment& of, std::span<const tokenizer::TokenId> tokens, DraftMemory& memory) {
    const std::size_t width = drafter_.width_, lag = memory.lag, skipped = lag - std::min(lag, of.position);
    for (std::size_t t = skipped; t < of.count; ++t) {  // there is no row before the first token
      if (t == skipped || tokens_.empty())
        segments_.push_back({.cache = *memory.cache, .position = of.position + t - lag, .row = tokens_.size()});
      const std::size_t row = of.row + t;
      const float* const before = drafter_.at_once() ? handed_ + row * width
                                  : t == 0           ? memory.before(of.position)
                                                     : handed_ + (row - 1) * width;
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
    nn::Pass pass{.kernels = pass_.kernels,
                  .pool = pass_.pool,
                  .scratch = drafter_.scratch_,
                  .segments = segments_,
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
  const float* handed_;
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
      need_(need_of_heads(heads_, workspace)),
      pool_(heads_.cache_layers(), workspace.model().info().kv_cache, false, workspace.decoder_caches()),
      scratch_(need_, workspace.model().pool().threads(), workspace.model().kernels()),
      logits_(std::max<std::size_t>(at_once() ? most() : 1, 1) * workspace.model().info().vocabulary) {}

std::uint64_t HeadDrafter::bytes() const noexcept {
  if (!owner_) return 0;  // WorkspacePlan counts the bytes of own heads
  return nn::Scratch::bytes(need_, workspace_.model().pool().threads(), workspace_.model().kernels()) +
         logits_.size() * sizeof(float) + owner_->info().memory_bytes;
}

DraftMemory HeadDrafter::memory() {
  DraftMemory memory;
  memory.cache.emplace(pool_);
  memory.width = width_;
  memory.lag = heads_.lag();
  memory.fingerprint = (owner_ ? *owner_ : workspace_.model()).info().fingerprint;
  return memory;
}

std::span<const std::size_t> HeadDrafter::takes_inputs() const noexcept {
  if (!heads_.spec().features) return {};
  return heads_.spec().features->layers;
}

/// The rows that the heads read: as the pass hands them on, or mixed from several layers' inputs.
const float* HeadDrafter::rows_of(const nn::Pass& pass) {
  if (!heads_.spec().features) return pass.handed;
  const std::size_t features = heads_.spec().features->all();
  mixed_.resize(pass.tokens * width_);
  for (std::size_t first = 0; first < pass.tokens; first += kMaxBatch) {
    const std::size_t count = std::min(kMaxBatch, pass.tokens - first);
    nn::Pass mixing{.kernels = pass.kernels, .pool = pass.pool, .scratch = scratch_, .segments = {}, .tokens = count};
    heads_.mix(pass.handed + first * features, count, mixed_.data() + first * width_, mixing);
  }
  return mixed_.data();
}

void HeadDrafter::use_shortlist() {
  shortlist_.emplace(workspace_.model().info().vocabulary, workspace_.model().kernels().panel_rows);
}

void HeadDrafter::follow(std::span<const tokenizer::TokenId> tokens, const nn::Pass& pass, std::span<DraftMemory* const> memories) {
  for (const nn::Segment& segment : pass.segments)
    if (shortlist_) shortlist_->see(tokens.subspan(segment.row, segment.count), segment.count <= 1 + kMost);
  const float* const handed = rows_of(pass);
  Rows rows(*this, pass, handed);
  const auto reads = [&](std::size_t i) { return memories[i]->cache && memories[i]->reads(pass.segments[i].position); };
  for (std::size_t i = 0; i < memories.size(); ++i)
    if (reads(i)) rows.add(pass.segments[i], tokens, *memories[i]);
  rows.store();
  for (std::size_t i = 0; i < memories.size(); ++i) {
    const nn::Segment& segment = pass.segments[i];
    if (!reads(i)) continue;
    memories[i]->cache->wrote(segment.end() - memories[i]->lag);
    keep_last(*memories[i], handed, segment);
  }
}

DraftStart HeadDrafter::begin(Sequence& sequence, std::span<const tokenizer::TokenId> text, std::size_t most) try {
  DraftMemory& memory = sequence.drafts();
  position_ = text.size() - 1;
  cache_ = nullptr;
  if (position_ < memory.lag) return DraftStart::later;
  if (!memory.cache || !memory.reads(position_) || sequence.tokens().size() != position_) return DraftStart::never;
  most_ = std::min(most, this->most());
  const std::size_t end = position_ + most_ + (at_once() ? 1 : 0);
  if (end > workspace_.model().info().context_length) return DraftStart::later;
  memory.cache->make_room(end);
  tokens_.clear();
  const float* const before = memory.before(position_);
  before_.assign(width_, 0.0f);
  if (before) std::copy_n(before, width_, before_.data());
  position_ -= memory.lag;
  cache_ = &*memory.cache;
  tiles_ = &sequence.tiles();
  panels_ = shortlist_ && shortlist_->suffices() ? shortlist_->panels() : std::span<const nn::PanelRange>();
  if (!panels_.empty()) std::ranges::fill(logits_, -std::numeric_limits<float>::infinity());
  return DraftStart::ready;
} catch (const std::bad_alloc&) {
  return DraftStart::later;
}

std::span<const float> HeadDrafter::logits_of(std::size_t step) const noexcept {
  const std::size_t vocabulary = workspace_.model().info().vocabulary;
  return std::span(logits_).subspan(step * vocabulary, vocabulary);
}

/// Runs the last token of the text, followed by mask tokens, all of which attend to each other.
void HeadDrafter::draft_at_once(tokenizer::TokenId last) {
  std::array<tokenizer::TokenId, kMost + 1> tokens;
  std::array<nn::PositionRange, kMost + 1> block;
  const std::size_t count = most_ + 1;
  tokens.fill(heads_.spec().block->mask);
  tokens[0] = last;
  block.fill({position_, position_ + count});
  nn::Segment segment{.cache = *cache_, .position = position_, .count = count, .groups = block.data()};
  nn::Pass pass{.kernels = workspace_.model().kernels(),
                .pool = workspace_.model().pool(),
                .scratch = scratch_,
                .segments = {&segment, 1},
                .tokens = count,
                .read = panels_};
  workspace_.use_decode_threads();
  heads_.forward(0, std::span(tokens).first(count), nullptr, nullptr, logits_.data(), pass);
}

/// A single head reads one token per step, at the next position. With several heads, each step's head reads all tokens of the draft
/// again.
std::span<const float> HeadDrafter::next(tokenizer::TokenId id) {
  const bool chained = heads_.heads() > 1;
  const std::size_t step = tokens_.size();
  if (at_once()) {
    if (step == 0) draft_at_once(id);
    tokens_.push_back(id);
    return logits_of(step);
  }
  const std::size_t head = chained ? std::min(step, heads_.heads() - 1) : 0;
  tokens_.push_back(id);
  const std::size_t first = chained ? 0 : step;
  nn::Segment segment{.cache = *cache_, .position = position_ + first, .count = step + 1 - first};
  nn::Pass pass{.kernels = workspace_.model().kernels(),
                .pool = workspace_.model().pool(),
                .scratch = scratch_,
                .segments = {&segment, 1},
                .tokens = segment.count,
                .read = panels_};
  PassPictures pictures;
  if (!tiles_->empty() && nn::places_pictures(heads_.spec().stack)) {
    pictures.resize(segment.count);
    tiles_->describe(position_ + first, segment.count, 0, pictures);
    pass.coordinates = pictures.coordinates.data();
  }
  handed_.resize(segment.count * width_);
  workspace_.use_decode_threads();
  heads_.forward(head, std::span(tokens_).subspan(first), before_.data() + first * width_, handed_.data(), logits_.data(), pass);
  before_.insert(before_.end(), handed_.end() - static_cast<std::ptrdiff_t>(width_), handed_.end());
  return logits_;
}

}  // namespace heed::runtime
