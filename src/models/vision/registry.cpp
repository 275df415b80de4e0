#include "models/vision/registry.hpp"

#include "models/check.hpp"
#include "models/vision/projectors.hpp"

namespace heed::models {
namespace {

struct Projecting {
  std::string_view type;  // clip.projector_type
  VisionFamily* family;
};

constexpr Projecting kProjectors[] = {
    {"gemma3", gemma3_vision},
    {"gemma4v", gemma4_vision},
    {"glm4v", glm4_vision},
    {"idefics3", idefics3},
    {"internvl", internvl},
    {"lfm2", lfm2_vision},
    {"mlp", llava},
    {"paddleocr", paddleocr_vision},
    {"pixtral", pixtral},
    {"qwen2.5vl_merger", qwen25_vision},
    {"qwen3vl_merger", qwen3_vision},
};

const char* type_key(const Hyperparameters& h) {
  return h.contains("vision.projector_type") ? "vision.projector_type" : "projector_type";
}

}  // namespace

nn::ModelSpec projector_spec(const formats::Metadata& metadata) {
  const Hyperparameters h(metadata);
  const char* key = type_key(h);
  if (h.full("") != "clip.")
    throw Error(ErrorCode::unsupported, "'" + metadata.text("general.architecture") + "' has no projector; expected: clip",
                "general.architecture");
  if (!h.flag("has_vision_encoder", false))
    throw Error(ErrorCode::unsupported, "must be true: only images can be projected", h.full("has_vision_encoder"));
  const std::string type = h.text(key, "");
  std::string types;
  for (const Projecting& one : kProjectors) {
    if (one.type == type) {
      nn::ModelSpec spec{.vision = one.family(h)};
      check(spec, h);
      return spec;
    }
    types += (types.empty() ? "" : ", ") + std::string(one.type);
  }
  throw Error(ErrorCode::unsupported, "'" + type + "' is not one of " + types, h.full(key));
}

}  // namespace heed::models
