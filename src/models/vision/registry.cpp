#include "models/vision/registry.hpp"

#include "models/check.hpp"
#include "models/hearing/registry.hpp"
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
    {"qwen2.5o", qwen25_vision},
    {"qwen2.5vl_merger", qwen25_vision},
    {"qwen3vl_merger", qwen3_vision},
};

const char* type_key(const Hyperparameters& h) {
  return h.contains("vision.projector_type") ? "vision.projector_type" : "projector_type";
}

nn::VisionSpec vision_spec(const Hyperparameters& h) {
  const char* key = type_key(h);
  const std::string type = h.text(key, "");
  std::string types;
  for (const Projecting& one : kProjectors) {
    if (one.type == type) return one.family(h);
    types += (types.empty() ? "" : ", ") + std::string(one.type);
  }
  throw Error(ErrorCode::unsupported, "'" + type + "' is not one of " + types, h.full(key));
}

}  // namespace

nn::ModelSpec projector_spec(const formats::Metadata& metadata) {
  const Hyperparameters h(metadata);
  if (h.full("") != "clip.")
    throw Error(ErrorCode::unsupported, "'" + metadata.text("general.architecture") + "' has no projector; expected: clip",
                "general.architecture");
  const bool sees = h.flag("has_vision_encoder", false), hears = h.flag("has_audio_encoder", false);
  if (!sees && !hears)
    throw Error(ErrorCode::unsupported, "must be true, or has_audio_encoder: only images and sounds can be projected",
                h.full("has_vision_encoder"));
  nn::ModelSpec spec;
  if (sees) spec.vision = vision_spec(h);
  if (hears) spec.hearing = hearing_spec(h);
  check(spec, h);
  return spec;
}

}  // namespace heed::models
