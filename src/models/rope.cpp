// Reads the description of RoPE in files: the rope.* keys, as llama.cpp does.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "models/common.hpp"

namespace heed::models {

nn::RopeSpec rope_spec(const Hyperparameters& h, nn::RopePairing pairing, std::size_t head_dim) {
  nn::RopeSpec rope;
  rope.pairing = pairing;
  rope.dims = h.count("rope.dimension_count", head_dim);
  rope.theta = h.number("rope.freq_base", 10000.0f);
  rope.magnitude = h.number("rope.scaling.attn_factor", 1.0f);

  // A factor without a type is linear; its old key is scale_linear; 0 means no scaling.
  const std::string type = h.text("rope.scaling.type", "linear");
  const float factor = h.number("rope.scaling.factor", h.number("rope.scale_linear", 0.0f));
  if (factor != 0) rope.factor = factor;
  if (type == "linear") {
    rope.scaling = rope.factor == 1.0f ? nn::RopeScaling::none : nn::RopeScaling::linear;
  } else if (type == "yarn" || type == "longrope") {
    rope.scaling = type == "yarn" ? nn::RopeScaling::yarn : nn::RopeScaling::longrope;
    rope.original_context = h.count("rope.scaling.original_context_length", h.count("context_length"));
  } else if (type != "none") {
    throw Error(ErrorCode::unsupported, "RoPE scaling '" + type + "' is not supported; known: none, linear, yarn, longrope",
                h.full("rope.scaling.type"));
  }
  return rope;
}

void set_longrope(nn::RopeSpec& rope, const Hyperparameters& h) {
  rope.scaling = nn::RopeScaling::longrope;
  rope.original_context = h.count("rope.scaling.original_context_length", h.count("context_length"));
}

void set_rope_sections(nn::RopeSpec& rope, const Hyperparameters& h, nn::RopeAxes axes) {
  constexpr std::size_t kAxes = std::size(nn::RopeSpec().sections);
  const std::string_view key = "rope.dimension_sections";
  if (!h.contains(key)) return;
  const std::vector<std::size_t> sections = h.counts(key, kAxes);
  if (std::accumulate(sections.begin(), sections.end(), std::size_t{0}) != rope.dims / 2)
    throw Error(ErrorCode::invalid_file, "must add up to half of rope.dimension_count", h.full(key));
  rope.axes = axes;
  std::ranges::copy(sections, rope.sections);
}

}  // namespace heed::models
