#include "nn/settle.hpp"

#include <string>

namespace heed::nn {
namespace {

class Settling {
 public:
  Settling(const formats::TensorFile& file, std::string layer) : file_(file), layer_(std::move(layer)) {}

  void operator()(SublayerSpec& sublayer) const {
    if (auto* attention = std::get_if<AttentionSpec>(&sublayer.block)) {
      const std::string name(attention->name);
      if (attention->gate_optional && !has(name + "_gate.weight")) attention->gated = attention->own_gate = false;
      const auto& qk_norm = attention->qk_norm;
      if (qk_norm && qk_norm->optional && !has(name + "_q_norm.weight") && !has(name + "_k_norm.weight"))
        attention->qk_norm.reset();
      if (attention->sinks_optional && !has("attn_sinks.weight")) attention->sinks = false;
    }
    if (const auto* experts = std::get_if<ExpertsSpec>(&sublayer.block);
        experts && experts->dense != 0 && !has("ffn_gate_inp.weight")) {
      MlpSpec mlp = experts->expert;
      mlp.feed_forward = experts->dense;
      mlp.limit = experts->shared_limit;
      sublayer.block = mlp;
    }
  }

 private:
  bool has(const std::string& name) const { return file_.find(layer_ + name) != nullptr; }

  const formats::TensorFile& file_;
  std::string layer_;
};

void settle_layers(StackSpec& stack, const formats::TensorFile& file) {
  const std::string prefix(stack.prefix);
  for (std::size_t i = 0; i < stack.layers.size(); ++i) {
    const Settling settling(file, prefix + "blk." + std::to_string(stack.layers[i].block.value_or(i)) + ".");
    for (SublayerSpec& sublayer : stack.layers[i].sublayers) settling(sublayer);
  }
}

void settle_parts(EmbeddingSpec& embedding, StackSpec& stack, const formats::TensorFile& file) {
  if (embedding.positions == Positions::if_learned)
    embedding.positions = file.find(std::string(stack.prefix) + "position_embd.weight") ? Positions::learned : Positions::none;
  settle_layers(stack, file);
}

}  // namespace

void settle(ModelSpec& spec, const formats::TensorFile& file) {
  if (spec.encoder) settle_parts(spec.encoder->embedding, spec.encoder->stack, file);
  if (spec.decoder) settle_parts(spec.decoder->embedding, spec.decoder->stack, file);
  if (spec.draft) settle_layers(spec.draft->stack, file);
}

}  // namespace heed::nn
