#include "runtime/hearing/sound_run.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "base/error.hpp"
#include "nn/stack.hpp"

namespace heed::runtime {
namespace {

const nn::SoundReader& sound_reader_of(const Model& model) {
  if (const nn::SoundReader* reader = model.sound_reader()) return *reader;
  throw Error(ErrorCode::unsupported, "has no tower that makes sounds readable for a text model", model.info().architecture);
}

[[noreturn]] void refuse_memory(std::size_t samples) {
  throw Error(ErrorCode::out_of_memory, "not enough memory for a sound of " + std::to_string(samples) + " samples", "audio");
}

}  // namespace

SoundRun::SoundRun(const Model& model)
    : model_(model),
      reader_(sound_reader_of(model)),
      maker_(spec().features, reader_.window(), reader_.filters()),
      width_(reader_.row_width()) {
  if (const nn::StackSpec* const stack = reader_.attending())
    caches_.emplace(nn::Stack::cache_layers(*stack), within_a_pass(model.info().kv_cache), true);
}

std::vector<std::size_t> SoundRun::rows(std::size_t samples) const {
  std::vector<std::size_t> rows;
  for (const std::size_t frames : audio::chunk_frames(spec().features, samples)) rows.push_back(reader_.rows(frames));
  if (rows.empty() || std::ranges::find(rows, 0u) != rows.end())
    throw Error(ErrorCode::invalid_argument, "is too short: " + std::to_string(samples) + " samples at 16000 Hz make no row",
                "audio");
  return rows;
}

std::uint64_t SoundRun::bytes(std::size_t samples) const {
  std::uint64_t all = 0;
  std::size_t most = 0;
  for (const std::size_t frames : audio::chunk_frames(spec().features, samples)) {
    all += frames;
    most = std::max(most, frames);
  }
  if (most == 0) rows(samples);
  const std::size_t threads = model_.pool().threads(), positions = reader_.positions(most);
  // The last term is for the features of the whole sound, and of one part.
  return nn::Scratch::bytes(reader_.need(most, threads), threads, model_.kernels()) +
         (caches_ ? caches_->bytes(positions, positions) : 0) + (all + most) * spec().features.width() * sizeof(float);
}

audio::Features SoundRun::features(const HeardSound& sound) const try {
  return maker_(sound.samples, model_.pool());
} catch (const std::bad_alloc&) {
  refuse_memory(sound.count);
}

std::vector<float> SoundRun::operator()(const audio::Features& features, std::size_t part) {
  const std::size_t frames = features.chunks()[part].frames, positions = reader_.positions(frames),
                    threads = model_.pool().threads();
  try {
    const std::vector<float> values = features.copy(part);
    const std::size_t count = reader_.rows(frames);
    std::vector<float> made(count * reader_.row_width());
    if (!scratch_ || frames != frames_) {
      scratch_.reset();
      scratch_ = std::make_unique<nn::Scratch>(reader_.need(frames, threads), threads, model_.kernels());
      frames_ = frames;
    }
    std::optional<nn::KvCache> cache;
    std::vector<nn::Segment> segments;
    if (caches_) {
      cache.emplace(*caches_);
      cache->make_room(positions);
      segments.push_back({.cache = *cache, .count = positions});
    }
    nn::Pass pass{
        .kernels = model_.kernels(), .pool = model_.pool(), .scratch = *scratch_, .segments = segments, .tokens = positions};
    model_.pool().use(threads);
    reader_(values.data(), frames, pass, made.data());
    if (width_ == reader_.row_width()) return made;
    std::vector<float> rows(count * width_);
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(made.data() + i * reader_.row_width(), reader_.row_width(), rows.data() + i * width_);
    return rows;
  } catch (const std::bad_alloc&) {
    refuse_memory(frames * audio::kHop);
  }
}

}  // namespace heed::runtime
