// The tensors that each family's spec requests: all are used, and a missing one is named.
#include <catch2/catch_test_macros.hpp>

#include "kernels/dispatch.hpp"
#include "nn/decoder.hpp"
#include "nn/encoder.hpp"
#include "nn/picture_reader.hpp"
#include "nn/vision.hpp"
#include "support/errors.hpp"
#include "unit/models/family_values.hpp"
#include "unit/nn/random_weights.hpp"

using namespace heed;
using namespace heed::test;

namespace {

Tensors tensors_of(const nn::ModelSpec& spec) {
  RandomWeights weights;
  if (spec.encoder) weights.add(*spec.encoder);
  if (spec.decoder) weights.add(*spec.decoder);
  if (spec.vision) weights.add(*spec.vision);
  return weights.take();
}

void build(const nn::ModelSpec& spec, const Tensors& tensors) {
  const formats::TensorFile file = directory(tensors);
  nn::Weights weights(file, kernels::select());
  if (spec.encoder) const nn::Encoder encoder(*spec.encoder, 64, weights);
  if (spec.decoder) const nn::Decoder decoder(*spec.decoder, 64, weights);
  if (spec.vision) {
    const nn::VisionEncoder vision(*spec.vision, weights);
    if (!spec.vision->projector.steps.empty()) const nn::PictureReader reader(vision, weights);
  }
  weights.check_all_requested();
}

/// Tensors that a file may lack.
bool optional(const std::string& name) {
  return name.ends_with("norm.bias") || name.ends_with("norm_2.bias") || name.ends_with("_ln.bias") || name.ends_with("ln1.bias") ||
         name.ends_with("ln2.bias") || name.ends_with("exp_probs_b.bias") || name.ends_with("ssm_conv1d.bias") ||
         name.ends_with("layer_output_scale.weight") || name.ends_with("ffn_down_exps.scale") || name.ends_with("ffn.act.scales") ||
         name.find("time_mix_ln.") != std::string::npos || name.ends_with("attn_v_gate.bias") || name == "token_types.weight" ||
         name.ends_with("ssm_dt_norm.weight") || name.ends_with("ssm_b_norm.weight") || name.ends_with("ssm_c_norm.weight");
}

}  // namespace

TEST_CASE("every family takes all that it needs, and names what is missing", "[models]") {
  for (const std::string architecture : kArchitectures) {
    INFO(architecture);
    Values values = values_of(architecture);
    values[architecture + ".embedding_length"] = std::int64_t{16};
    values[architecture + ".context_length"] = std::int64_t{64};
    mix_layers(values, architecture);
    const nn::ModelSpec spec = spec_of(values);
    const Tensors whole = tensors_of(spec);
    build(spec, whole);
    const bool norms_are_optional = architecture == "command-r" || architecture == "cohere2" || architecture == "stablelm" ||
                                    architecture == "orion" || architecture == "glm4moe" || architecture == "jina-bert-v2";
    const bool norms_of_states_are_optional = !architecture.starts_with("qwen");
    const bool gates_are_optional = architecture == "t5" || architecture == "t5encoder";
    for (const auto& [name, tensor] : whole) {
      if (optional(name)) continue;
      if (norms_are_optional && (name.ends_with("q_norm.weight") || name.ends_with("k_norm.weight"))) continue;
      if (norms_of_states_are_optional && name.ends_with("ssm_norm.weight")) continue;
      if (name.ends_with("attn_norm_2.weight")) continue;
      if (gates_are_optional && name.ends_with("ffn_gate.weight")) continue;
      Tensors less = whole;
      less.erase(name);
      check_throws(ErrorCode::invalid_file, name + ": the file lacks this tensor", [&] { build(spec, less); });
    }
  }
}

TEST_CASE("BERT does without types of tokens", "[models]") {  // as DistilBERT's files do
  Values values = values_of("bert");
  values["bert.embedding_length"] = std::int64_t{16};
  values["bert.context_length"] = std::int64_t{64};
  const nn::ModelSpec spec = spec_of(values);
  Tensors tensors = tensors_of(spec);
  REQUIRE(tensors.erase("token_types.weight") == 1);
  build(spec, tensors);
}

TEST_CASE("every projector takes all that it needs, and names what is missing", "[models][vision]") {
  for (const std::string type : kProjectorTypes) {
    INFO(type);
    const nn::ModelSpec spec = projector_spec_of(projector_values(type));
    const Tensors whole = tensors_of(spec);
    build(spec, whole);
    for (const auto& [name, tensor] : whole) {
      const bool may_lack = name.ends_with(".bias") || name.find("put_m") != std::string::npos ||
                            name.ends_with("out_scale.weight") || name.ends_with(".ls1.weight") || name.ends_with(".ls2.weight") ||
                            name.ends_with(".fc1.weight") || (type == "lfm2" && name == "mm.input_norm.weight") ||
                            ((type == "mlp" || type == "gemma4v") && name == "v.post_ln.weight");
      if (may_lack) continue;
      Tensors less = whole;
      less.erase(name);
      check_throws(ErrorCode::invalid_file, name + ": the file lacks this tensor", [&] { build(spec, less); });
    }
    Tensors more = whole;
    more["v.blk.0.unknown.weight"] = {{1}, {1}};
    check_throws(ErrorCode::unsupported, "v.blk.0.unknown.weight", [&] { build(spec, more); });
  }
}
