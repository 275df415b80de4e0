#include "runtime/states.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "runtime/selection.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {
namespace {

const nn::StackSpec& decoder_stack(const Model& model) {
  if (model.decoder()) return model.spec().decoder->stack;
  throw Error(ErrorCode::unsupported, "does not generate text", model.info().architecture);
}

/// How many layers have run where the layer's state is read.
std::vector<std::uint32_t> depths_of(std::span<const std::int32_t> layers, std::size_t count) {
  std::vector<std::uint32_t> depths;
  for (const std::int32_t layer : layers) {
    if (layer < kEmbeddingLayer || layer >= static_cast<std::int64_t>(count))
      throw Error(ErrorCode::invalid_argument,
                  std::to_string(layer) + " is out of range: the model has " + std::to_string(count) +
                      " layers, and -1 is what enters them",
                  "layers");
    depths.push_back(static_cast<std::uint32_t>(layer + 1));
  }
  return depths;
}

/// Rows of one pass: what its scratch has room for.
std::size_t rows_at_a_time(const Model& model) { return std::min(kMaxBatch, model.info().context_length); }

}  // namespace

StateProbe::StateProbe(const Model& model, StateSelection selection)
    : layers_(std::move(selection.layers)), wanted_(std::move(selection.positions)), width_(decoder_stack(model).width) {
  const std::size_t count = decoder_stack(model).layers.size();
  if (layers_.empty())
    for (std::int32_t layer = kEmbeddingLayer; layer < static_cast<std::int32_t>(count); ++layer) layers_.push_back(layer);
  const std::vector<std::uint32_t> depths = depths_of(layers_, count);
  layer_slot_.assign(count + 1, -1);
  for (std::size_t i = 0; i < depths.size(); ++i) {
    if (layer_slot_[depths[i]] >= 0)
      throw Error(ErrorCode::invalid_argument, std::to_string(layers_[i]) + " is listed twice", "layers");
    layer_slot_[depths[i]] = static_cast<std::int32_t>(i);
  }
}

void StateProbe::prepare(std::size_t count) {
  positions_ = complete(wanted_, count, "positions");
  position_slot_ = slots(positions_, count, "positions");
  clear_rows(values_, std::uint64_t{layers_.size()} * positions_.size(), width_, "numbers; ask for fewer layers or positions",
             "states");
  tokens_ = count;
}

void StateProbe::watch(nn::Segment& segment) {
  if (segment.end() > tokens_) prepare(segment.end());
  segment.states = this;
}

void StateProbe::record(std::size_t depth, std::size_t position, std::size_t count, std::size_t width,
                        const float* states) noexcept {
  const std::int32_t layer = layer_slot_[depth];
  if (layer < 0) return;
  float* const of_layer = values_.data() + static_cast<std::size_t>(layer) * positions_.size() * width;
  for (std::size_t t = 0; t < count; ++t)
    if (const std::int32_t slot = position_slot_[position + t]; slot >= 0)
      std::copy_n(states + t * width, width, of_layer + static_cast<std::size_t>(slot) * width);
}

void apply_final_norm(Workspace& workspace, std::span<float> states) {
  const nn::StackSpec& spec = decoder_stack(workspace.model());
  nn::Pass pass = workspace.make_pass({}, 0);
  workspace.model().decoder()->stack().finish({states.data(), states.size() / spec.width, spec.width}, pass);
}

void read_out(Workspace& workspace, std::span<const float> states, std::span<float> logits,
              std::span<const nn::AdaptedRows> adapted) {
  const nn::StackSpec& spec = decoder_stack(workspace.model());
  const std::size_t most = rows_at_a_time(workspace.model()), vocabulary = workspace.model().info().vocabulary;
  std::vector<float> x(std::min(states.size(), most * spec.width));
  std::vector<std::size_t> numbers(x.size() / spec.width);  // of the rows that are read out at a time
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const nn::Adaptation adaptation(adapted, workspace.adapter_scratch(adapted));
  while (!states.empty()) {
    const auto part = states.first(std::min(states.size(), x.size()));
    const std::size_t rows = part.size() / spec.width;
    std::ranges::copy(part, x.begin());
    nn::Pass pass = workspace.make_pass({}, rows);
    if (!adapted.empty()) pass.adaptation = &adaptation;
    workspace.model().decoder()->read_out({x.data(), rows, spec.width}, logits.data(), pass, numbers.data());
    states = states.subspan(part.size());
    logits = logits.subspan(rows * vocabulary);
    for (std::size_t& number : numbers) number += rows;
  }
}

}  // namespace heed::runtime
