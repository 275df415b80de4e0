// Random weights for every tensor that a spec requests.
#pragma once

#include <limits>
#include <stdexcept>
#include <string>

#include "nn/spec.hpp"
#include "support/fuzz.hpp"
#include "unit/nn/tensors.hpp"

namespace heed::test {

/// In which form a file holds the weights.
struct FileForm {
  bool fused = false;        // q, k and v in one matrix; of the gated delta rule all that is made of the input, in two
  bool fused_gate = false;   // gate and up in one
  bool tied = true;          // no head of its own
  bool dense_scores = true;  // a reranker has a layer before its scores
  bool conv_bias = true, state_norm = true;  // Mamba 2 has them
  bool gates = true;                         // where the spec lets the file decide whether MLPs have gates
  bool again_norms = true;                   // if the spec names such a norm
  bool values = true;                        // and whether attention has a matrix for values
  bool wide_gates = true;                    // gates of attention with a matrix of their own are those of values, not of heads
};

class RandomWeights {
 public:
  /// Throws std::length_error instead of making more than `most` values.
  explicit RandomWeights(FileForm form = {}, std::uint64_t seed = 1, std::size_t most = std::numeric_limits<std::size_t>::max())
      : form_(form), fuzz_(seed), left_(most) {}

  void add(const nn::EmbeddingSpec& spec, const nn::StackSpec& stack) {
    const std::string prefix(stack.prefix);
    table("token_embd.weight", {spec.vocabulary, spec.width}, 1);
    if (spec.positions == nn::Positions::learned) table(prefix + "position_embd.weight", {spec.context_length, spec.width}, 1);
    if (spec.types) table("token_types.weight", {2, spec.width}, 1);
    norm(spec.norm_kind.value_or(stack.norm), prefix, spec.norm, spec.width);
  }

  void add(const nn::StackSpec& stack) {
    const std::string prefix(stack.prefix);
    for (std::size_t i = 0; i < stack.layers.size(); ++i) {
      const std::string layer = prefix + "blk." + std::to_string(stack.layers[i].block.value_or(i)) + ".";
      for (const nn::SublayerSpec& sublayer : stack.layers[i].sublayers) {
        for (const std::string_view name : {sublayer.pre_norm, sublayer.residual_norm}) norm(stack.norm, layer, name, stack.width);
        norm(stack.post_norm.value_or(stack.norm), layer, sublayer.post_norm, stack.width);
        if (form_.again_norms) norm(stack.norm, layer, sublayer.again_norm, stack.width);
        if (!sublayer.gain.empty()) table(layer + std::string(sublayer.gain) + ".weight", {stack.width}, 1);
        std::visit([&](const auto& block) { add_block(block, layer, stack.width); }, sublayer.block);
      }
      if (const std::string share(stack.layers[i].input_share); !share.empty()) table(layer + share + ".weight", {1}, 1);
      if (const std::string scale(stack.layers[i].output_scale); !scale.empty()) table(layer + scale + ".weight", {1}, 1);
    }
    if (!stack.layers.empty() && stack.layers[0].begins_turn) table("hrm.z_l_init", {stack.width}, 1);
    if (stack.alt_up) add(*stack.alt_up, stack);
    if (stack.bias && stack.bias->kind == nn::PositionBiasKind::relative)
      table(prefix + "blk.0.attn_rel_b.weight", {stack.bias->buckets, heads_}, 2);
    norm(stack.norm, prefix, stack.final_norm, stack.width);
  }

  void add(const nn::AltUpSpec& spec, const nn::StackSpec& stack) {
    const std::size_t n = spec.streams, width = stack.width;
    linears("altup_proj", n - 1, width, width);
    linears("altup_unembd_proj", n - 1, width, width);
    for (std::size_t i = 0; i < stack.layers.size(); ++i) {
      const std::string layer = "blk." + std::to_string(i) + ".";
      norm(spec.norm, layer, "altup_router_norm", width);
      table(layer + "altup_router.weight", {n, width}, 8);  // because its input is divided by the width
      linear(layer + "altup_predict_coef", n * n, n, false);
      linear(layer + "altup_correct_coef", n, n, false);
      if (!spec.others) continue;
      table(layer + "altup_correct_scale.weight", {width}, 1);
      norm(stack.norm, layer, spec.others->post_norm, width);
      std::visit([&](const auto& block) { add_block(block, layer, width); }, spec.others->block);
    }
  }

  void add(const nn::DecoderSpec& spec) {
    add(spec.embedding, spec.stack);
    add(spec.stack);
    add(spec.per_layer, spec.embedding, spec.stack);
    if (!form_.tied) linear("output", spec.embedding.vocabulary, spec.stack.width, false);
  }
  void add(const nn::PerLayerEmbeddingSpec& spec, const nn::EmbeddingSpec& embedding, const nn::StackSpec& stack) {
    const std::size_t all = spec.width * stack.layers.size();
    if (spec.width == 0) return;
    if (spec.has_table) table("per_layer_token_embd.weight", {embedding.vocabulary, all}, 1);
    linear("per_layer_model_proj", all, stack.width, false);
    norm(stack.norm, "", "per_layer_proj_norm", spec.width);
  }
  void add(const nn::EncoderSpec& spec) {
    add(spec.embedding, spec.stack);
    add(spec.stack);
    add(spec.per_layer, spec.embedding, spec.stack);
    std::size_t width = spec.stack.width;
    for (const nn::ProjectionSpec& one : spec.projections) {
      projection(one, width);
      width = one.rows;
    }
    if (spec.scores == 0) return;
    if (form_.dense_scores) linear("cls", spec.stack.width, spec.stack.width, true);
    linear("cls.output", spec.scores, spec.stack.width, true);
  }

  /// Heads with norms of their own, which share the decoder's tables; or an assistant.
  void add(const nn::DraftSpec& spec) {
    const std::size_t width = spec.stack.width;
    add(spec.stack);
    if (spec.assists != 0) {
      table("token_embd.weight", {spec.embedding.vocabulary, width}, 1);
      linear("nextn.pre_projection", width, 2 * spec.assists, false);
      linear("nextn.post_projection", spec.assists, width, false);
      return;
    }
    if (spec.eagle) {
      const std::size_t features = spec.features->all();
      linear("fc", width, features, false);
      if (spec.eagle->norms_features) norm(spec.stack.norm, "", "enc.output_norm", features);
      for (const char* of : {"blk.0.attn_norm", "blk.0.attn_norm_2", "output_norm"}) norm(spec.stack.norm, "", of, width);
      linear("output", spec.embedding.vocabulary, width, false);
      if (width != spec.features->width) table("token_embd.weight", {spec.embedding.vocabulary, width}, 1);
      return;
    }
    if (spec.block) {
      linear("fc", width, spec.features->all(), false);
      norm(spec.stack.norm, "", "enc.output_norm", width);
      linear("output", spec.embedding.vocabulary, width, false);
      if (width != spec.features->width) table("token_embd.weight", {spec.embedding.vocabulary, width}, 1);
      return;
    }
    for (const nn::LayerSpec& layer : spec.stack.layers) {
      const std::string name = "blk." + std::to_string(*layer.block) + ".nextn.";
      linear(name + "eh_proj", width, 2 * width, false);
      for (const char* of : {"enorm", "hnorm", "shared_head_norm"}) norm(spec.stack.norm, name, of, width);
    }
  }

  /// An audio tower for a text model.
  void add(const nn::HearingSpec& spec) {
    const std::size_t frame = spec.features.width();
    std::size_t width = spec.conformer ? spec.conformer->width : spec.stack ? spec.stack->width : frame;
    if (spec.features.given) {
      table("a.window", {spec.features.window}, 1);
      table("a.mel_filters", {spec.features.bands, spec.features.transform / 2 + 1}, 1);
      for (float& filter : tensors_["a.mel_filters"].values) filter = std::abs(filter);
    }
    if (spec.whisper) {
      width = spec.whisper->stack.width;
      table("a.conv1d.1.weight", {width, frame, 3}, 0.4f);
      table("a.conv1d.1.bias", {width, 1}, 0.4f);
      table("a.conv1d.2.weight", {width, width, 3}, 0.4f);
      table("a.conv1d.2.bias", {width, 1}, 0.4f);
      table("a.position_embd.weight", {spec.whisper->positions, width}, 1);
      add(spec.whisper->stack);
    }
    if (spec.stem) add(*spec.stem, frame, width);
    if (spec.stack) add(*spec.stack);
    if (spec.conformer) add(*spec.conformer);
    if (spec.queries) add(*spec.queries, width);
    add(spec.projector, width);
  }
  void add(const nn::StemSpec& spec, std::size_t frame, std::size_t width) {
    using Kind = nn::StemConvolution::Kind;
    std::size_t bands = frame, channels = 1;
    for (const nn::StemConvolution& one : spec.convolutions) {
      const std::string name = "a." + std::string(one.name);
      const std::size_t made = one.kind == Kind::full ? 4 : channels, side = one.kind == Kind::pointwise ? 1 : 3;
      table(name + ".weight", {made, one.kind == Kind::by_channel ? 1 : channels, side, side}, 0.4f);
      if (!one.normed) table(name + ".bias", {made, 1, 1}, 0.4f);
      else table(name + ".norm.weight", {made}, 1);
      channels = made;
      if (one.kind != Kind::pointwise) bands = (bands + 1) / 2;
    }
    linear("a." + std::string(spec.out), width, bands * channels, true);
    if (!spec.positions.empty()) table("a." + std::string(spec.positions) + ".weight", {13, width}, 1);
  }
  void add(const nn::ConformerSpec& spec) {
    const std::size_t width = spec.width, dim = width / spec.heads, channels = width + 4;
    for (std::size_t i = 0; i < spec.layers; ++i) {
      const std::string layer = "a.blk." + std::to_string(i) + ".";
      for (const std::string suffix : {"", "_1"}) {
        norm(spec.norm, layer, "ffn_norm" + suffix, width);
        if (!spec.mlp_post_norm.empty()) norm(spec.norm, layer, std::string(spec.mlp_post_norm) + suffix, width);
        linear(layer + "ffn_up" + suffix, spec.feed_forward, width, true);
        linear(layer + "ffn_down" + suffix, width, spec.feed_forward, true);
      }
      norm(spec.norm, layer, spec.attention_norm, width);
      norm(spec.norm, layer, spec.attention_post_norm, width);
      for (const char* const name : {"attn_q", "attn_k", "attn_v", "attn_out"}) linear(layer + name, width, width, false);
      if (spec.distances == nn::Distances::sinusoid) {
        linear(layer + "linear_pos", width, spec.sinusoid, false);
        for (const char* const name : {"pos_bias_u", "pos_bias_v"}) table(layer + name, {spec.heads, dim}, 0.4f);
      } else if (spec.distances == nn::Distances::table) {
        table(layer + "attn_rel_pos_emb", {2 * spec.furthest + 1, dim}, 0.4f);
      } else {
        linear(layer + "attn_k_rel", width, spec.sinusoid, false);
        table(layer + "per_dim_scale.weight", {dim}, 1);
      }
      norm(spec.norm, layer, spec.convolution_norm, width);
      linear(layer + "conv_pw1", 2 * channels, width, true);
      table(layer + "conv_dw.weight", {channels, spec.taps}, 0.4f);
      linear(layer + "conv_pw2", width, channels, true);
      norm({spec.channel_norm == nn::ChannelNorm::rms ? nn::NormKind::rms : nn::NormKind::layer}, layer, spec.inner_norm, channels);
      if (spec.channel_norm == nn::ChannelNorm::batch)
        for (const char* const name : {"conv_norm_mean", "conv_norm_var"}) {
          table(layer + name, {channels}, 1);
          for (float& value : tensors_[layer + name].values) value = 0.5f + std::abs(value);
        }
      norm(spec.norm, layer, "ln2", width);
    }
    if (spec.guesses_after == 0) return;
    linear("a.enc_ctc_out", 12, width, true);
    linear("a.enc_ctc_out_mid", width, 12, true);
  }
  void add(const nn::QueryFormerSpec& spec, std::size_t width) {
    constexpr nn::NormSpec kNorm{nn::NormKind::layer};
    table("a.proj_query", {spec.queries, width}, 1);
    norm(kNorm, "a.", "proj_norm", width);
    for (std::size_t i = 0; i < spec.layers; ++i) {
      const std::string layer = "a.proj_blk." + std::to_string(i) + ".";
      for (const std::string name : {"self_attn", "cross_attn"}) {
        for (const char* const part : {"_q", "_k", "_v", "_out"}) linear(layer + name + part, width, width, true);
        norm(kNorm, layer, name + "_norm", width);
      }
      linear(layer + "ffn_up", 24, width, true);
      linear(layer + "ffn_down", width, 24, true);
      norm(kNorm, layer, "ffn_norm", width);
    }
  }
  void add(const nn::VisionSpec& spec) {
    const std::string prefix(spec.stack.prefix);
    const std::size_t width = spec.stack.width, patch = spec.patches.patch;
    table(prefix + "patch_embd.weight", {width, 3, patch, patch}, 0.4f);
    if (spec.patches.biased) table(prefix + "patch_embd.bias", {width}, 0.4f);
    if (spec.patches.frames > 1) table(prefix + "patch_embd.weight.1", {width, 3, patch, patch}, 0.4f);
    if (spec.patches.class_token != nn::ClassToken::none) table(prefix + "class_embd", {width}, 1);
    if (spec.patches.positions == nn::PositionTable::column_and_row) table(prefix + "position_embd.weight", {2, 64, width}, 1);
    else if (spec.patches.positions != nn::PositionTable::none)
      table(prefix + "position_embd.weight", {spec.patches.tokens(), width}, 1);
    norm(spec.stack.norm, prefix, spec.patches.early_norm, width);
    norm(spec.stack.norm, prefix, spec.patches.norm, width);
    add(spec.stack);
    projection(spec.projection, width);
    if (spec.classes != 0) linear(prefix + "head", spec.classes, width, true);
    if (spec.projector.steps.empty()) return;
    add(spec.projector, width);
    for (const std::size_t layer : {0, 2}) {
      if (spec.deep_stack.prefix.empty()) break;
      const std::string name = std::string(spec.deep_stack.prefix) + std::to_string(layer) + ".";
      const std::size_t merged = width * spec.projector.merge * spec.projector.merge;
      norm(spec.stack.norm, name, "norm", merged);
      linear(name + "fc1", 24, merged, true);
      linear(name + "fc2", spec.projector.width, 24, true);
    }
    if (!spec.clamped) return;
    Tensors clamps;
    for (const auto& [name, tensor] : tensors_)
      if (const std::string of = name.substr(0, name.rfind('.')); name.starts_with("v.blk.") && tensor.shape.size() == 2)
        for (const float bound : {0.7f, 1.3f}) {
          clamps[of + (bound < 1 ? ".input_max" : ".output_max")] = {{1}, {bound}};
          clamps[of + (bound < 1 ? ".input_min" : ".output_min")] = {{1}, {-bound}};
        }
    tensors_.merge(clamps);
  }

  void add(const nn::ProjectorSpec& spec, std::size_t width) {
    for (const nn::ProjectorStep& step : spec.steps) {
      if (const auto* merge = std::get_if<nn::MergeStep>(&step)) width *= merge->factor * merge->factor;
      if (const auto* of = std::get_if<nn::NormStep>(&step)) norm(of->norm, "", of->name, width);
      if (const auto* product = std::get_if<nn::ProductStep>(&step)) {
        const std::size_t rows = product->rows == 0 ? 24 : product->rows;
        if (product->transposed) table(std::string(product->name) + ".weight", {width, rows}, 0.4f);
        else linear(std::string(product->name), rows, width, true);
        width = rows;
      }
      if (const auto* join = std::get_if<nn::JoinStep>(&step)) width *= join->count;
      if (std::holds_alternative<nn::HalvesStep>(step)) width /= 2;
      if (const auto* frame = std::get_if<nn::FrameStep>(&step))
        for (const std::string_view name : {frame->before, frame->after}) table(std::string(name), {1, width}, 1);
      if (const auto* gated = std::get_if<nn::GatedStep>(&step)) {
        linear(std::string(gated->gate), 28, width, false);
        linear(std::string(gated->up), 28, width, false);
        linear(std::string(gated->down), gated->rows, 28, false);
        width = gated->rows;
      }
      if (const auto* standard = std::get_if<nn::StandardizeStep>(&step))
        for (const std::string_view name : {standard->bias, standard->scale}) table(std::string(name), {width}, 1);
      if (const auto* end = std::get_if<nn::BreakStep>(&step)) table(std::string(end->name), {width}, 1);
    }
  }

  Tensors take() { return std::move(tensors_); }

 private:
  void table(const std::string& name, std::vector<std::size_t> shape, float magnitude) {
    std::size_t count = 1;
    for (const std::size_t n : shape) {
      if (n != 0 && count > left_ / n) throw std::length_error("too many weights: " + name);
      count *= n;
    }
    if (tensors_.contains(name)) return;
    tensors_[name] = {std::move(shape), fuzz_.reals(count, magnitude)};
    left_ -= count;
  }
  void linear(const std::string& name, std::size_t rows, std::size_t columns, bool biased) {
    table(name + ".weight", {rows, columns}, 0.4f);
    if (biased) table(name + ".bias", {rows}, 0.4f);
  }
  void linears(const std::string& name, std::size_t count, std::size_t rows, std::size_t columns, bool biased = false) {
    table(name + ".weight", {count, rows, columns}, 0.4f);
    if (biased) table(name + ".bias", {count, rows}, 0.4f);
  }
  void projection(const nn::ProjectionSpec& spec, std::size_t width) {
    if (!spec.name.empty()) linear(std::string(spec.name), spec.rows, width, false);
  }
  void norm(const nn::NormSpec& spec, const std::string& before, std::string_view name, std::size_t width) {
    if (name.empty() || !spec.weighted) return;
    table(before + std::string(name) + ".weight", {width}, 1);
    if (spec.kind == nn::NormKind::layer) table(before + std::string(name) + ".bias", {width}, 1);
  }
  void longrope(const nn::RopeSpec& rope) {
    if (rope.scaling != nn::RopeScaling::longrope) return;
    for (const char* name : {"rope_factors_long.weight", "rope_factors_short.weight"}) {
      table(name, {rope.dims / 2}, 0.5f);
      for (float& factor : tensors_[name].values) factor = 1.5f + std::abs(factor);
    }
  }

  void add_block(const nn::AttentionSpec& spec, const std::string& layer, std::size_t width) {
    const std::string name = layer + std::string(spec.name);
    const std::size_t queries = spec.heads * spec.key_dim, keys = spec.kv_heads * spec.key_dim;
    const std::size_t values = spec.kv_heads * spec.value_dim, model_width = width;
    if (spec.input != 0) width = spec.input;
    if (spec.keys_of) {
      linear(name + "_q", queries, width, spec.biased);
    } else if (form_.fused) {
      linear(name + "_qkv", queries + keys + values, width, spec.biased);
    } else {
      linear(name + "_q", queries + (spec.gated && !spec.own_gate ? spec.heads * spec.value_dim : 0), width, spec.biased);
      linear(name + "_k", keys, width, spec.biased);
      if (spec.value_experts) {
        linear(name + "_v_gate", spec.value_experts->count, width, true);
        linears(name + "_v_exps", spec.value_experts->count, values, width);
      } else if (form_.values || !spec.keys_as_values) linear(name + "_v", values, width, spec.biased);
    }
    if (spec.own_gate) linear(name + "_gate", form_.wide_gates ? spec.heads * spec.value_dim : spec.heads, width, false);
    if (spec.sub_norm) norm(*spec.sub_norm, name, "_sub_norm", spec.heads * spec.value_dim);
    if (spec.qk_norm && spec.qk_norm->span == nn::QkNormSpan::head_factor) {
      table(name + "_q_norm.weight", {spec.heads, 1}, 1);
    } else if (spec.qk_norm && spec.qk_norm->norm.weighted) {
      qk_norm(name + "_q_norm", *spec.qk_norm, spec.heads, spec.key_dim);
      if (!spec.keys_of) qk_norm(name + "_k_norm", *spec.qk_norm, spec.kv_heads, spec.key_dim);
    }
    if (spec.sinks) table(layer + "attn_sinks.weight", {spec.heads}, 2);
    if (spec.rope) longrope(*spec.rope);
    linear(name + "_" + std::string(spec.output), model_width, spec.heads * spec.value_dim, spec.biased);
    if (!spec.cross) heads_ = spec.heads;
  }
  void qk_norm(const std::string& name, const nn::QkNormSpec& spec, std::size_t heads, std::size_t dim) {
    const bool own = spec.span == nn::QkNormSpan::each_head;
    const std::size_t size = spec.span == nn::QkNormSpan::head ? dim : heads * dim;
    table(name + ".weight", own ? std::vector{heads, dim} : std::vector{size}, 1);
    if (spec.norm.kind == nn::NormKind::layer && !own) table(name + ".bias", {size}, 1);
  }

  void add_block(const nn::LatentAttentionSpec& spec, const std::string& layer, std::size_t width) {
    const std::size_t queries = spec.heads * (spec.plain_dim + spec.rope.dims);
    if (spec.query_rank == 0) {
      linear(layer + "attn_q", queries, width, false);
    } else {
      linear(layer + "attn_q_a", spec.query_rank, width, false);
      norm(spec.norm, layer, "attn_q_a_norm", spec.query_rank);
      linear(layer + "attn_q_b", queries, spec.query_rank, false);
    }
    linear(layer + "attn_kv_a_mqa", spec.latent_dim + spec.rope.dims, width, false);
    norm(spec.norm, layer, "attn_kv_a_norm", spec.latent_dim);
    if (spec.absorbed) {
      linears(layer + "attn_k_b", spec.heads, spec.latent_dim, spec.plain_dim);
      linears(layer + "attn_v_b", spec.heads, spec.value_dim, spec.latent_dim);
    } else {
      linear(layer + "attn_kv_b", spec.heads * (spec.plain_dim + spec.value_dim), spec.latent_dim, false);
    }
    longrope(spec.rope);
    linear(layer + "attn_output", width, spec.heads * spec.value_dim, false);
  }

  void add_block(const nn::ShortConvolutionSpec& spec, const std::string& layer, std::size_t width) {
    linear(layer + "shortconv.in_proj", 3 * width, width, false);
    table(layer + "shortconv.conv.weight", {width, spec.taps}, 1);
    linear(layer + "shortconv.out_proj", width, width, false);
  }

  void add_block(const nn::GatedDeltaNetSpec& spec, const std::string& layer, std::size_t width) {
    const std::size_t keys = spec.key_heads * spec.key_dim, values = spec.heads * spec.value_dim;
    if (form_.fused) {
      linear(layer + "ssm_in", 2 * keys + 2 * values, width, false);
      linear(layer + "ssm_ba", 2 * spec.heads, width, false);
    } else {
      linear(layer + "attn_qkv", 2 * keys + values, width, false);
      linear(layer + "attn_gate", values, width, false);
      linear(layer + "ssm_beta", spec.heads, width, false);
      linear(layer + "ssm_alpha", spec.heads, width, false);
    }
    table(layer + "ssm_conv1d.weight", {2 * keys + values, spec.taps}, 1);
    decay(layer, {spec.heads});
    table(layer + "ssm_norm.weight", {spec.value_dim}, 1);
    linear(layer + "ssm_out", width, values, false);
  }
  void add_block(const nn::Mamba2Spec& spec, const std::string& layer, std::size_t width) {
    const std::size_t values = spec.heads * spec.head_dim, channels = values + 2 * spec.groups * spec.state;
    linear(layer + "ssm_in", values + channels + spec.heads, width, false);
    table(layer + "ssm_conv1d.weight", {channels, spec.taps}, 1);
    if (form_.conv_bias) table(layer + "ssm_conv1d.bias", {channels}, 0.5f);
    decay(layer, {spec.heads, 1});
    table(layer + "ssm_d", {spec.heads, 1}, 1);
    if (form_.state_norm) table(layer + "ssm_norm.weight", {spec.groups, values / spec.groups}, 1);
    linear(layer + "ssm_out", width, values, false);
  }
  /// Negative, so that states fade.
  void decay(const std::string& layer, std::vector<std::size_t> shape) {
    table(layer + "ssm_dt.bias", {shape[0]}, 1);
    table(layer + "ssm_a", std::move(shape), 1);
    for (float& a : tensors_[layer + "ssm_a"].values) a = -0.05f - std::abs(a);
  }

  void add_block(const nn::MlpSpec& spec, const std::string& layer, std::size_t width) { mlp(spec, layer, width, ""); }
  void mlp(const nn::MlpSpec& spec, const std::string& layer, std::size_t width, const std::string& suffix) {
    const bool gated = spec.without_gate ? form_.gates : spec.gated;
    const std::size_t f = spec.feed_forward;
    if (gated && form_.fused_gate) {
      linear(layer + "ffn_up" + suffix, 2 * f, width, spec.biased);
    } else {
      if (gated) linear(layer + "ffn_gate" + suffix, f, width, spec.biased);
      linear(layer + "ffn_up" + suffix, f, width, spec.biased);
    }
    linear(layer + "ffn_down" + suffix, width, f, spec.biased);
    if (spec.sub_norm) norm(*spec.sub_norm, layer, "ffn_sub_norm", f);
    if (!spec.shrinks) return;
    table(layer + "ffn.act.scales", {f}, 1);
    for (float& scale : tensors_[layer + "ffn.act.scales"].values) scale = 0.5f + std::abs(scale);
  }

  void add_block(const nn::MambaSpec& spec, const std::string& layer, std::size_t width) {
    const std::size_t inner = spec.heads * spec.head_dim;
    linear(layer + "ssm_in", 2 * inner, width, false);
    table(layer + "ssm_conv1d.weight", {inner, spec.taps}, 1);
    if (form_.conv_bias && !spec.by_head) table(layer + "ssm_conv1d.bias", {inner}, 0.5f);
    linear(layer + "ssm_x", spec.rank + 2 * spec.state, inner, false);
    linear(layer + "ssm_dt", spec.heads, spec.rank, true);
    table(layer + "ssm_a", {spec.heads, spec.one_rate ? 1 : spec.state}, 1);
    for (float& a : tensors_[layer + "ssm_a"].values) a = -0.05f - std::abs(a);
    table(layer + "ssm_d", {spec.heads, 1}, 1);
    linear(layer + "ssm_out", width, inner, false);
    if (!form_.state_norm || spec.normed) return;
    for (const auto& [name, size] : {std::pair{"ssm_dt_norm", spec.rank}, {"ssm_b_norm", spec.state}, {"ssm_c_norm", spec.state}})
      table(layer + name + ".weight", {size}, 1);
  }
  void add_block(const nn::RwkvTimeMixSpec& spec, const std::string& layer, std::size_t width) {
    const std::string name = layer + "time_mix_";
    const std::size_t heads = width / spec.head_dim, inputs = spec.version == 6 || spec.gate_rank == 0 ? 5 : 6;
    table(name + "lerp_fused.weight", {inputs, 1, 1, width}, 1);
    for (const char* matrix : {"receptance", "key", "value", "output"}) linear(name + matrix, width, width, false);
    table(name + "ln.weight", {width}, 1);
    table(name + "ln.bias", {width}, 1);
    if (spec.version == 6) {
      table(name + "lerp_x.weight", {1, 1, width}, 1);
      linear(name + "w1", 5 * spec.mix_rank, width, false);
      linears(name + "w2", 5, width, spec.mix_rank);
      table(name + "decay.weight", {width}, 1);
      linear(name + "decay_w1", spec.decay_rank, width, false);
      linear(name + "decay_w2", width, spec.decay_rank, false);
      linear(name + "gate", width, width, false);
      table(name + "first.weight", {heads, spec.head_dim}, 1);
      return;
    }
    const auto low = [&](const std::string& letter, std::size_t rank, bool biased) {
      if (biased) table(name + letter + "0.weight", {width}, 1);
      linear(name + letter + "1", rank, width, false);
      linear(name + letter + "2", width, rank, false);
    };
    low("w", spec.decay_rank, true);
    low("a", spec.rate_rank, true);
    if (!spec.first) low("v", spec.value_rank, true);
    if (spec.gate_rank != 0) low("g", spec.gate_rank, false);
    for (const char* vector : {"k_k", "k_a", "r_k"}) table(name + vector + ".weight", {width}, 1);
  }
  void add_block(const nn::RwkvChannelMixSpec& spec, const std::string& layer, std::size_t width) {
    const std::string name = layer + "channel_mix_";
    table(name + "lerp_k.weight", {1, 1, width}, 1);
    linear(name + "key", spec.feed_forward, width, false);
    linear(name + "value", width, spec.feed_forward, false);
    if (!spec.receptance) return;
    table(name + "lerp_r.weight", {1, 1, width}, 1);
    linear(name + "receptance", width, width, false);
  }
  void add_block(const nn::KimiDeltaSpec& spec, const std::string& layer, std::size_t width) {
    const std::size_t channels = spec.heads * spec.dim;
    for (const std::string letter : {"q", "k", "v"}) {
      linear(layer + "attn_" + letter, channels, width, false);
      table(layer + "ssm_conv1d_" + letter + ".weight", {1, channels, 1, spec.taps}, 1);
    }
    linear(layer + "ssm_f_a", spec.dim, width, false);
    linear(layer + "ssm_f_b", channels, spec.dim, false);
    linear(layer + "ssm_beta", spec.heads, width, false);
    linear(layer + "ssm_g_a", spec.dim, width, false);
    linear(layer + "ssm_g_b", channels, spec.dim, false);
    table(layer + "ssm_dt.bias", {channels}, 1);
    table(layer + "ssm_a", {1, 1, spec.heads, 1}, 1);
    for (float& a : tensors_[layer + "ssm_a"].values) a = -0.05f - std::abs(a);
    norm(spec.norm, layer, "ssm_norm", spec.dim);
    linear(layer + "attn_output", width, channels, false);
  }

  void add_block(const nn::MatrixSpec&, const std::string& layer, std::size_t width) {
    linear(layer + "attn_output", width, width, false);
  }

  void add_block(const nn::LaurelSpec& spec, const std::string& layer, std::size_t width) {
    linear(layer + "laurel_l", spec.rank, width, false);
    linear(layer + "laurel_r", width, spec.rank, false);
    norm(spec.norm, layer, "laurel_post_norm", width);
  }

  void add_block(const nn::PerLayerInputSpec& spec, const std::string& layer, std::size_t width) {
    linear(layer + "inp_gate", spec.width, width, false);
    linear(layer + "proj", width, spec.width, false);
  }

  void add_block(const nn::ExpertsSpec& spec, const std::string& layer, std::size_t width) {
    const std::size_t f = spec.expert.feed_forward;
    const bool biased = spec.expert.biased;
    linear(layer + "ffn_gate_inp", spec.count, width, biased);
    if (spec.selection_bias) table(layer + "exp_probs_b.bias", {spec.count}, 0.5f);
    const std::size_t inner = spec.latent != 0 ? spec.latent : width;
    if (form_.fused_gate && spec.expert.gated) {
      linears(layer + "ffn_gate_up_exps", spec.count, 2 * f, inner);
    } else {
      if (spec.expert.gated) linears(layer + "ffn_gate_exps", spec.count, f, inner, biased);
      linears(layer + "ffn_up_exps", spec.count, f, inner, biased);
    }
    linears(layer + "ffn_down_exps", spec.count, inner, f, biased);
    if (const std::size_t of_chunk = spec.chunk_feed_forward; spec.chunk_size != 0) {
      linears(layer + "ffn_gate_chexps", spec.count / spec.chunk_size, of_chunk, width);
      linears(layer + "ffn_up_chexps", spec.count / spec.chunk_size, of_chunk, width);
      linears(layer + "ffn_down_chexps", spec.count / spec.chunk_size, width, of_chunk);
    }
    if (spec.latent != 0) {
      linear(layer + "ffn_latent_down", inner, width, false);
      linear(layer + "ffn_latent_up", width, inner, false);
    }
    if (spec.shared != 0) {
      nn::MlpSpec shared = spec.expert;
      shared.feed_forward = spec.shared;
      mlp(shared, layer, width, std::string(spec.shared_suffix));
    }
    for (const std::string_view name : {spec.shared_pre_norm, spec.shared_post_norm, spec.chosen_pre_norm, spec.chosen_post_norm})
      norm(spec.norm, layer, name, width);
    if (spec.normed_router) {
      table(layer + "ffn_gate_inp.scale", {width}, 4);
      table(layer + "ffn_down_exps.scale", {spec.count}, 1);
    }
    if (spec.shared_gate) linear(layer + "ffn_gate_inp_shexp", 1, width, false);
  }

  FileForm form_;
  Fuzz fuzz_;
  std::size_t left_;
  Tensors tensors_;
  std::size_t heads_ = 0;
};

template <class Spec>
Tensors random_weights(const Spec& spec, FileForm form = {}, std::uint64_t seed = 1) {
  RandomWeights weights(form, seed);
  weights.add(spec);
  return weights.take();
}

}  // namespace heed::test
