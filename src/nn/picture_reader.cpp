#include "nn/picture_reader.hpp"

#include <string>

namespace heed::nn {

/// Projects the outputs of layers that have a projector.
class PictureReader::DeepListener final : public Listener {
 public:
  DeepListener(const PictureReader& reader, PatchGrid grid, float* rows) noexcept : reader_(reader), grid_(grid), rows_(rows) {}

  void visit(const PointRows& rows, Pass& pass) const noexcept override {
    for (std::size_t i = 0; i < reader_.deep_stack_.size(); ++i)
      if (const Deep& deep = reader_.deep_stack_[i]; rows.place == Place{Point::resid, deep.layer})
        deep.projector(rows.data, grid_, rows_ + (1 + i) * deep.projector.width(), reader_.row_width(), pass);
  }

 private:
  const PictureReader& reader_;
  PatchGrid grid_;
  float* rows_;
};

PictureReader::PictureReader(const VisionEncoder& tower, Weights& weights)
    : tower_(tower), projector_(tower.spec().projector, tower.spec().stack.width, weights) {
  const VisionSpec& spec = tower.spec();
  for (std::size_t layer = 0; !spec.deep_stack.prefix.empty() && layer < spec.stack.layers.size(); ++layer) {
    const std::string name = std::string(spec.deep_stack.prefix) + std::to_string(layer) + ".";
    const std::string norm = name + "norm", first = name + "fc1", second = name + "fc2";
    if (!weights.contains(first + ".weight")) continue;
    const ProjectorSpec deep{.steps = {MergeStep{spec.projector.merge}, NormStep{norm, spec.stack.norm}, ProductStep{first},
                                       ActivationStep{kernels::Activation::gelu_tanh}, ProductStep{second, spec.projector.width}},
                             .width = spec.projector.width};
    deep_stack_.push_back({layer, Projector(deep, spec.stack.width, weights)});
  }
}

ScratchNeed PictureReader::need(PatchGrid grid, std::size_t threads) const {
  ScratchNeed deep;
  for (const Deep& one : deep_stack_) deep.either(one.projector.need(grid));
  ScratchNeed need;
  need.allocate<float>(std::uint64_t{tower_.tokens(grid)} * tower_.spec().stack.width);
  return need.with(tower_.need(grid, threads, deep).either(projector_.need(grid)));
}

bool PictureReader::operator()(const Tile& tile, Pass& pass, float* rows) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const PatchGrid grid = tower_.grid(tile);
  const std::size_t width = tower_.spec().stack.width;
  float* hidden = pass.scratch.allocate<float>(tower_.tokens(grid) * width);
  const DeepListener listener(*this, grid, rows);
  if (!deep_stack_.empty()) pass.segments[0].listener = &listener;
  const bool done = tower_.forward(tile, pass, hidden);
  pass.segments[0].listener = nullptr;
  if (!done) return false;
  projector_(hidden + tower_.spec().projector.first * width, grid, rows, row_width(), pass);
  return true;
}

}  // namespace heed::nn
