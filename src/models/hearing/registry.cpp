#include "models/hearing/registry.hpp"

#include "models/hearing/check.hpp"
#include "models/hearing/towers.hpp"

namespace heed::models {
namespace {

struct Hearing {
  std::string_view type;  // clip.audio.projector_type, or clip.projector_type
  HearingFamily* family;
};

constexpr Hearing kHearing[] = {
    {"gemma4a", gemma4_hearing},
    {"gemma4ua", gemma4_samples},
    {"glma", glm_asr},
    {"granite_speech", granite_speech},
    {"lfm2a", lfm2_hearing},
    {"meralion", meralion},
    {"musicflamingo", music_flamingo},
    {"parakeet", parakeet},
    {"qwen2.5o", qwen2_hearing},
    {"qwen2a", qwen2_hearing},
    {"qwen3a", qwen3_hearing},
    {"ultravox", ultravox},
    {"voxtral", voxtral},
};

}  // namespace

nn::HearingSpec hearing_spec(const Hyperparameters& h) {
  const char* const key = h.contains("audio.projector_type") ? "audio.projector_type" : "projector_type";
  const std::string type = h.text(key, "");
  std::string types;
  for (const Hearing& one : kHearing) {
    if (one.type == type) {
      nn::HearingSpec spec = one.family(h);
      check_hearing(spec, h);
      return spec;
    }
    types += (types.empty() ? "" : ", ") + std::string(one.type);
  }
  throw Error(ErrorCode::unsupported, "'" + type + "' is not one of " + types, h.full(key));
}

}  // namespace heed::models
