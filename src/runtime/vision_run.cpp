#include "runtime/vision_run.hpp"

#include "base/error.hpp"
#include "nn/vision.hpp"

namespace heed::runtime {
namespace {

const nn::VisionEncoder& vision_of(const Workspace& workspace) {
  if (const nn::VisionEncoder* vision = workspace.model().vision(); vision && !workspace.model().reader()) return *vision;
  throw Error(ErrorCode::unsupported, "does not accept images", workspace.model().info().architecture);
}

}  // namespace

VisionRun::VisionRun(Workspace& workspace) : workspace_(workspace) { vision_of(workspace); }

bool VisionRun::operator()(const Image& image, Recorder* recorder) {
  const nn::VisionEncoder& vision = vision_of(workspace_);
  const std::vector<float> pixels = prepare(image, vision.spec().preparation);
  const std::size_t tokens = vision.spec().patches.tokens();
  if (recorder && !recorder->hears(AttentionOf::image))
    throw Error(ErrorCode::invalid_argument, "records something else than what is being run", "recorder");

  nn::KvCache cache(*workspace_.vision_caches());
  cache.make_room(tokens);
  nn::Segment segment{.cache = cache, .count = tokens};
  if (recorder) recorder->watch(segment, AttentionOf::image);
  nn::Pass pass = workspace_.make_pass({&segment, 1}, tokens);
  return workspace_.run(tokens, [&] { return vision.forward(pixels.data(), pass, workspace_.hidden().data()); });
}

std::span<const float> VisionRun::hidden() const noexcept {
  const nn::VisionSpec& spec = vision_of(workspace_).spec();
  return workspace_.hidden().first(spec.patches.tokens() * spec.stack.width);
}

std::vector<float> VisionRun::embedding(Pooling pooling, bool normalized) const {
  const nn::VisionEncoder& vision = vision_of(workspace_);
  return embed(hidden(), vision.spec().stack.width, pooling, vision.projections(), {.normalized = normalized}, workspace_);
}

std::vector<float> VisionRun::classes() const {
  const nn::Linear* classifier = vision_of(workspace_).classifier();
  if (!classifier) throw Error(ErrorCode::unsupported, "has no classifier", workspace_.model().info().architecture);
  const std::size_t width = vision_of(workspace_).spec().stack.width;
  std::vector<float> scores = project_rows(hidden().first(width), width, *classifier, workspace_);
  workspace_.model().kernels().softmax(scores.data(), scores.size());
  return scores;
}

}  // namespace heed::runtime
