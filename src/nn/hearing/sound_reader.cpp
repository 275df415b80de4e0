#include "nn/hearing/sound_reader.hpp"

#include <algorithm>
#include <string>

namespace heed::nn {
namespace {

constexpr const char* kPrefix = "a.";

PatchGrid in_line(std::size_t rows) noexcept { return {rows, 1}; }

}  // namespace

SoundReader::SoundReader(const HearingSpec& spec, Weights& weights) : spec_(spec) {
  if (spec.clamped) weights.read_clamps();
  for (const std::string_view name : spec.unread)
    if (weights.contains(name)) weights.ignore(name);
  const audio::FeatureSpec& features = spec.features;
  width_ = spec.conformer ? spec.conformer->width : spec.stack ? spec.stack->width : features.width();
  if (features.given) {
    window_ = weights.vector("a.window", features.window);
    filters_ = weights.table("a.mel_filters", features.bands, features.transform / 2 + 1);
  }
  if (spec.whisper) {
    whisper_.emplace(*spec.whisper, weights);
    width_ = spec.whisper->stack.width;
  }
  if (spec.stem) stem_.emplace(*spec.stem, features.width(), width_, kPrefix, weights);
  if (spec.stack) stack_.emplace(*spec.stack, positions(features.chunk), weights);
  if (spec.conformer) conformer_.emplace(*spec.conformer, kPrefix, weights);
  if (spec.queries) queries_.emplace(*spec.queries, layers_width(), kPrefix, weights);
  projector_.emplace(spec.projector, projected_width(), weights);
}

std::size_t SoundReader::positions(std::size_t frames) const noexcept {
  return whisper_ ? frames / 2 : stem_ ? stem_->rows(frames) : frames;
}

std::size_t SoundReader::projected(std::size_t frames) const noexcept {
  return queries_ ? queries_->rows(positions(frames)) : positions(frames);
}

std::size_t SoundReader::projected_width() const noexcept { return queries_ ? queries_->width() : layers_width(); }

std::size_t SoundReader::rows(std::size_t frames) const noexcept {
  const std::size_t read = projected(frames);
  return read == 0 ? 0 : projector_->rows(in_line(read));
}

const StackSpec* SoundReader::attending() const noexcept {
  return spec_.whisper ? &spec_.whisper->stack : spec_.stack ? &*spec_.stack : nullptr;
}

ScratchNeed SoundReader::need(std::size_t frames, std::size_t threads) const {
  const std::size_t rows = positions(frames);
  ScratchNeed inner = projector_->need(in_line(projected(frames)));
  if (whisper_) inner.either(AudioEncoder::need(*spec_.whisper, {width_, rows, rows, threads}));
  if (stem_) inner.either(stem_->need(frames));
  if (stack_) inner.either(Stack::need(*spec_.stack, {width_, rows, rows, threads}));
  if (conformer_) inner.either(conformer_->need(rows, threads));
  if (queries_) inner.either(queries_->need(rows));
  inner.clamps = spec_.clamped;
  return ScratchNeed()
      .allocate<float>(std::uint64_t{rows} * width_)
      .allocate<float>(std::uint64_t{rows} * layers_width())
      .allocate<float>(std::uint64_t{projected(frames)} * projected_width())
      .with(inner);
}

bool SoundReader::operator()(const float* frames, std::size_t count, Pass& pass, float* out) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t rows = positions(count);
  const Activations x{pass.scratch.allocate<float>(rows * width_), rows, width_};
  const float* made = x.data;
  if (whisper_ && !whisper_->forward(frames, pass, x.data)) return false;
  if (stem_) (*stem_)(frames, count, x.data, pass);
  else if (!whisper_) std::copy_n(frames, rows * width_, x.data);
  if (stack_) {
    if (!(*stack_)(x, pass)) return false;
    stack_->finish(x, pass);
  }
  if (conformer_) {
    float* const after = pass.scratch.allocate<float>(rows * layers_width());
    if (!(*conformer_)(x, after, pass)) return false;
    made = after;
  }
  if (queries_) {
    float* const asked = pass.scratch.allocate<float>(projected(count) * projected_width());
    (*queries_)(made, rows, asked, pass);
    made = asked;
  }
  (*projector_)(made, in_line(projected(count)), out, row_width(), pass);
  return true;
}

}  // namespace heed::nn
