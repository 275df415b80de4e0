#include "runtime/sequence.hpp"

#include <algorithm>
#include <deque>
#include <new>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "runtime/drafts/drafter.hpp"
#include "runtime/token_checks.hpp"

namespace heed::runtime {
namespace {

nn::KvCachePool& decoder_caches_of(Workspace& workspace) {
  if (nn::KvCachePool* caches = workspace.decoder_caches()) return *caches;
  throw Error(ErrorCode::unsupported, "does not generate text", workspace.model().info().architecture);
}

/// Calls KvCache::reserve or KvCache::make_room. Throws out_of_memory instead of std::bad_alloc.
void allocate(nn::KvCache& cache, void (nn::KvCache::*function)(std::size_t), std::size_t positions) {
  try {
    (cache.*function)(positions);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "not enough memory for " + std::to_string(positions) + " tokens", "context_length");
  }
}

/// If rows of a tile attend to each other, a pass must contain the whole tile. Returns the number of tokens that the pass may have:
/// more than kMaxBatch only for a tile alone.
std::size_t check_whole_tiles(std::span<const ForwardInput> inputs) {
  std::size_t most = kMaxBatch;
  for (const ForwardInput& input : inputs) {
    const PlacedTiles& tiles = input.sequence->tiles();
    const std::size_t position = input.sequence->tokens().size();
    if (tiles.split_at(position) || tiles.split_at(position + input.tokens.size()))
      throw Error(ErrorCode::invalid_argument, "the rows of an image must be read in one pass: they attend to each other",
                  "tokens");
    check_cuts(tiles, input.sequence->changes());
    if (const PlacedTiles::Place* const first = tiles.at(position); first && !first->tile->grid.in_time && inputs.size() == 1)
      most = std::max(most, first->tile->grid.rows);
  }
  return most;
}

void check(std::span<const ForwardInput> inputs, std::span<float> logits, const Model& model, bool whole_tiles) {
  const std::size_t vocabulary = model.decoder()->spec().embedding.vocabulary;
  const std::size_t most = whole_tiles ? check_whole_tiles(inputs) : kMaxBatch;
  std::size_t tokens = 0, rows = 0;
  for (const ForwardInput& input : inputs) {
    tokens += input.tokens.size();
    rows += input.rows;
    if (input.tokens.empty() || tokens > most)
      throw Error(ErrorCode::invalid_argument, "a batch must have from 1 to " + std::to_string(kMaxBatch) + " tokens", "tokens");
    if (input.rows > input.tokens.size())
      throw Error(ErrorCode::invalid_argument, "must have room for whole rows, at most one per token", "logits");
  }
  if (logits.size() != rows * vocabulary)
    throw Error(ErrorCode::invalid_argument, "must have room for whole rows, at most one per token", "logits");
  if (inputs.size() > model.info().parallel)
    throw Error(ErrorCode::invalid_argument, "a pass can have at most " + std::to_string(model.info().parallel) + " sequences",
                "inputs");
  for (const ForwardInput& input : inputs)
    check_tokens(input.tokens, input.sequence->tokens().size(), vocabulary, model.info().context_length, true);
}

/// The panels that have the logits of these tokens, each once.
std::vector<nn::PanelRange> panels_of(std::span<const TokenId> tokens, std::size_t panel_rows) {
  std::vector<nn::PanelRange> panels;
  for (const TokenId token : tokens) {
    const std::size_t panel = static_cast<std::size_t>(token) / panel_rows;
    if (std::ranges::find(panels, panel, &nn::PanelRange::begin) == panels.end()) panels.push_back({panel, panel + 1});
  }
  return panels;
}

/// Applies edits, then passes the rows on to another listener.
class EditsThen final : public nn::Listener {
 public:
  EditsThen(const Edits& edits, const nn::Listener& then) noexcept : edits_(edits), then_(then) {}
  void visit(const nn::PointRows& rows, nn::Pass& pass) const noexcept override {
    edits_.visit(rows, pass);
    then_.visit(rows, pass);
  }
  void attend(nn::AttentionSight& sight) const noexcept override {
    edits_.attend(sight);
    then_.attend(sight);
  }
  void norm(nn::NormSight& sight) const noexcept override {
    edits_.norm(sight);
    then_.norm(sight);
  }
  bool hears_norms() const noexcept override { return edits_.hears_norms() || then_.hears_norms(); }
  bool edits() const noexcept override { return true; }

 private:
  const Edits& edits_;
  const nn::Listener& then_;
};

}  // namespace

void check_cuts(const PlacedTiles& tiles, const Changes& changes) {
  if (!tiles.empty() && changes.edits && changes.edits->cuts())
    throw Error(ErrorCode::unsupported, "do not cut attention in texts with images whose rows attend to each other", "edits");
}

Sequence::Sequence(Workspace& workspace) : workspace_(&workspace), cache_(decoder_caches_of(workspace)) {
  if (nn::KvCachePool* caches = workspace.cross_caches()) cross_cache_.emplace(*caches);
  if (workspace.drafter()) drafts_ = workspace.drafter()->memory();
}

void Sequence::truncate(std::size_t length) noexcept {
  if (length >= tokens_.size()) return;
  tokens_.resize(cache_.cut(length));
  if (!tiles_.empty()) {
    if (nn::reads_whole_tiles(model().spec().decoder->stack))
      while (const PlacedTiles::Place* const tile = tiles_.across(tokens_.size())) tokens_.resize(cache_.cut(tile->begin));
    tiles_.cut(tokens_.size());
  }
  drafts_.cut(tokens_.size());
}

void Sequence::change(Changes changes) {
  if (!changes.empty() && model().encoder())
    throw Error(ErrorCode::unsupported, "adapters and edits are for decoders alone", model().info().architecture);
  truncate(alike_until(changes_, changes));
  changes_ = std::move(changes);
}

void Sequence::reserve(std::size_t length) { allocate(cache_, &nn::KvCache::reserve, std::min(length, context_length())); }

void Sequence::make_room(std::size_t count) {
  allocate(cache_, &nn::KvCache::make_room, tokens_.size() + count);
  if (drafts_.cache && drafts_.reads(tokens_.size())) allocate(*drafts_.cache, &nn::KvCache::make_room, tokens_.size() + count);
}

std::size_t Sequence::reserve_guesses(std::size_t count) noexcept try {
  count = std::min(count, workspace_->decoder_caches()->most_kept_states());
  cache_.keep_states(count);
  return count;
} catch (const std::bad_alloc&) {
  return 0;
}

void Sequence::attend_to(std::span<const float> hidden) {
  truncate(0);
  encoder_positions_ = 0;
  cross_cache_.emplace(*workspace_->cross_caches());
  const std::size_t width = model().decoder()->spec().stack.width, positions = hidden.size() / width;
  allocate(*cross_cache_, &nn::KvCache::make_room, positions);
  nn::Segment segment{.cache = cache_, .cross_cache = &*cross_cache_, .encoder_positions = positions};
  nn::Pass pass = workspace_->make_pass({&segment, 1}, positions);
  model().decoder()->stack().cache_encoder_output({const_cast<float*>(hidden.data()), positions, width}, pass);
  encoder_positions_ = positions;
}

std::size_t Sequence::load(std::span<const std::byte> saved, std::span<const TokenId> tokens) {
  check_tokens(tokens, 0, model().info().vocabulary, context_length());
  tokens_.assign(tokens.begin(), tokens.end());
  try {
    const std::size_t read = cache_.load(saved, tokens.size(), model().kernels(), model().pool());
    return read + drafts_.load(saved.subspan(read), tokens.size(), model().kernels(), model().pool());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "not enough memory for " + std::to_string(tokens.size()) + " tokens", "session");
  }
}

bool Sequence::forward(std::span<const TokenId> tokens, std::span<float> logits, Recorder* recorder) {
  const std::size_t vocabulary = model().decoder()->spec().embedding.vocabulary;
  const ForwardInput input{this, tokens, logits.size() / vocabulary, recorder};
  return runtime::forward(*workspace_, {&input, 1}, logits);
}

std::size_t Sequence::next_pass(std::span<const TokenId> tokens) const {
  const std::size_t most = std::min(tokens.size(), kMaxBatch);
  if (!nn::reads_whole_tiles(model().spec().decoder->stack)) return most;
  PlacedTiles tiles = tiles_;  // a sound may have been read in part
  tiles.read(tokens, tokens_.size(), workspace_->pictures());
  return tiles.whole(tokens_.size(), most);
}

bool forward(Workspace& workspace, std::span<const ForwardInput> inputs, std::span<float> logits, std::size_t first_layer,
             std::span<const TokenId> read) try {
  bool has_tiles = false;
  for (const ForwardInput& input : inputs) {
    input.sequence->tiles_.read(input.tokens, input.sequence->tokens_.size(), workspace.pictures());
    has_tiles = has_tiles || !input.sequence->tiles_.empty();
  }
  const nn::StackSpec& stack = workspace.model().decoder()->spec().stack;
  check(inputs, logits, workspace.model(), has_tiles && nn::reads_whole_tiles(stack));
  std::vector<nn::Segment> segments;
  std::vector<TokenId> tokens;
  std::vector<std::size_t> rows;
  std::vector<nn::AdaptedRows> adapted;
  std::deque<EditsThen> both;
  Drafter* const drafter = first_layer == 0 && workspace.drafter() && workspace.drafter()->follows() ? workspace.drafter()
                                                                                                     : nullptr;
  std::vector<DraftMemory*> memories;  // draft memories of the sequences, for drafter->follow()
  std::vector<float> states;           // the input of the first layer, if that is not layer 0
  for (const auto& [sequence, ids, wanted, recorder, guesses, entering] : inputs) {
    if (sequence->cross_cache_ && sequence->encoder_positions_ == 0 && !workspace.model().info().generates)
      throw Error(ErrorCode::unsupported, "does not generate text", workspace.model().info().architecture);
    if (sequence->cross_cache_ && sequence->encoder_positions_ == 0)
      throw Error(ErrorCode::invalid_argument, "no encoded text for the decoder to attend to", "tokens");
    const std::size_t position = sequence->tokens_.size();
    sequence->make_room(ids.size());
    if (guesses > 0) allocate(sequence->cache_, &nn::KvCache::keep_states, ids.size() - 1);
    if (drafter) memories.push_back(&sequence->drafts_);
    nn::Segment& segment = segments.emplace_back(nn::Segment{.cache = sequence->cache_,
                                                             .position = position,
                                                             .count = ids.size(),
                                                             .row = tokens.size(),
                                                             .cross_cache = sequence->cross_cache_ ? &*sequence->cross_cache_
                                                                                                   : nullptr,
                                                             .encoder_positions = sequence->encoder_positions_});
    if (first_layer > 0) states.insert(states.end(), entering.begin(), entering.end());
    segment.listener = sequence->changes_.edits.get();
    if (recorder) recorder->watch(segment, AttentionOf::decoder);
    if (recorder && sequence->changes_.edits) segment.listener = &both.emplace_back(*sequence->changes_.edits, *recorder);
    append_rows(sequence->changes_, position, ids.size(), segment.row, adapted);
    tokens.insert(tokens.end(), ids.begin(), ids.end());
    for (std::size_t i = wanted; i > 0; --i) rows.push_back(tokens.size() - i);
    sequence->tokens_.reserve(position + ids.size());
  }

  std::optional<nn::Scratch> scratch;
  if (tokens.size() > kMaxBatch) scratch.emplace(workspace.make_scratch(tokens.size()));
  nn::Pass pass = workspace.make_pass(segments, tokens.size(), scratch ? &*scratch : nullptr);
  pass.first_layer = first_layer;
  pass.states = states.data();
  const std::vector<nn::PanelRange> panels = panels_of(read, pass.kernels.panel_rows);
  pass.read = panels;
  PassPictures pictures;
  if (has_tiles) {
    pictures.resize(tokens.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      nn::Segment& segment = segments[i];
      inputs[i].sequence->tiles_.describe(segment.position, segment.count, segment.row, pictures);
      segment.groups = pictures.tiles.data() + segment.row;
    }
    pass.pictures = pictures.rows.data();
    if (nn::places_pictures(stack)) pass.coordinates = pictures.coordinates.data();
  }
  const nn::Adaptation adaptation(adapted, workspace.adapter_scratch(adapted));
  if (!adapted.empty()) pass.adaptation = &adaptation;
  const nn::Decoder& decoder = *workspace.model().decoder();
  if (drafter) {
    pass.hands_inputs = drafter->takes_inputs();
    pass.handed = workspace.handed(tokens.size() * std::max<std::size_t>(1, pass.hands_inputs.size()));
    pass.hands_normed = drafter->takes_normed();
  }
  const bool whole = first_layer == 0;  // the time of a pass over some layers says nothing about passes over all
  const bool done = workspace.run(tokens.size(), [&] { return decoder.forward(tokens, pass, logits.data(), rows); }, whole);
  if (done && whole) workspace.costs().record(tokens.size(), workspace.seconds());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Sequence& sequence = *inputs[i].sequence;
    if (done && !pass.overflowed) {
      sequence.cache_.wrote(segments[i].end());
      sequence.tokens_.insert(sequence.tokens_.end(), inputs[i].tokens.begin(), inputs[i].tokens.end());
    } else {
      sequence.tokens_.resize(sequence.cache_.undo());
      sequence.tiles_.cut(sequence.tokens_.size());
      sequence.drafts_.cut(sequence.tokens_.size());
    }
  }
  if (done && pass.handed && !pass.overflowed) try {
      drafter->follow(tokens, pass, memories);
    } catch (const std::bad_alloc&) {  // these texts go on without drafts
    }
  if (done && pass.overflowed)
    throw Error(ErrorCode::invalid_argument, "make numbers too large to compute with", adapted.empty() ? "edits" : "adapters");
  return done;
} catch (...) {  // no sequence has changed
  for (const ForwardInput& input : inputs) input.sequence->tiles_.cut(input.sequence->tokens_.size());
  throw;
}

}  // namespace heed::runtime
