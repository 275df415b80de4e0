#include "models/registry.hpp"

#include <string>

#include "models/families.hpp"

namespace heed::models {
namespace {

struct Family {
  std::string_view name;  // general.architecture
  nn::DecoderSpec (*spec)(const Hyperparameters&);
};

constexpr Family kFamilies[] = {
    {"llama", llama},
    {"gpt2", gpt2},
};

void check(bool right, const Hyperparameters& h, std::string_view key, const char* message) {
  if (!right) throw Error(ErrorCode::invalid_file, message, h.full(key));
}

/// Bounds that keep every later size computation far from overflow, whatever the file says.
void check_spec(const nn::DecoderSpec& spec, const Hyperparameters& h) {
  const nn::AttentionSpec& attention = spec.attention;
  const auto within = [](std::size_t n, std::size_t limit) { return n > 0 && n <= limit; };
  check(within(spec.width, 1u << 17), h, "embedding_length", "must be from 1 to 131072");
  check(within(spec.layers, 1024), h, "block_count", "must be from 1 to 1024");
  check(within(spec.context, 1u << 26), h, "context_length", "must be from 1 to 67108864");
  check(within(spec.mlp.feed_forward, 1u << 20), h, "feed_forward_length", "must be from 1 to 1048576");
  check(within(attention.heads, 1024), h, "attention.head_count", "must be from 1 to 1024");
  check(within(attention.kv_heads, attention.heads) && attention.heads % attention.kv_heads == 0, h,
        "attention.head_count_kv", "must divide the number of heads");
  check(within(attention.head_dim, 4096), h, "attention.key_length", "must be from 1 to 4096");
  check(spec.norm.epsilon >= 0, h,
        spec.norm.kind == nn::NormKind::rms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon",
        "must not be negative");
  if (!within(spec.vocabulary, 1u << 24))
    throw Error(ErrorCode::invalid_file, "must have from 1 to 16777216 tokens", "tokenizer.ggml.tokens");
  if (!attention.rope) return;
  const nn::RopeSpec& rope = *attention.rope;
  check(rope.dims > 0 && rope.dims % 2 == 0 && rope.dims <= attention.head_dim, h, "rope.dimension_count",
        "must be even and at most the head's");
  check(rope.theta > 1, h, "rope.freq_base", "must be greater than 1");
  check(rope.factor > 0, h, "rope.scaling.factor", "must be greater than 0");
  check(rope.scaling != nn::RopeScaling::yarn || rope.original_context > 0, h,
        "rope.scaling.original_context_length", "must be greater than 0");
}

}  // namespace

nn::DecoderSpec decoder_spec(const formats::Metadata& metadata) {
  const std::string name = metadata.text("general.architecture");
  std::string names;
  for (const Family& family : kFamilies) {
    if (family.name == name) {
      const Hyperparameters h(metadata);
      nn::DecoderSpec spec = family.spec(h);
      check_spec(spec, h);
      return spec;
    }
    names += (names.empty() ? "" : ", ") + std::string(family.name);
  }
  throw Error(ErrorCode::unsupported, "architecture '" + name + "' is not one of " + names, "general.architecture");
}

}  // namespace heed::models
