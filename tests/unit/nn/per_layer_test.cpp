// Per-layer embeddings beside their formula, and tables whose rows stay as the file has them.
#include "nn/per_layer_embedding.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "support/stored_rows.hpp"
#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

nn::DecoderSpec told(std::size_t width, std::string_view post_norm = "post_norm") {
  nn::DecoderSpec spec = llama_like();
  spec.per_layer.width = width;
  for (nn::LayerSpec& layer : spec.stack.layers)
    layer.sublayers = {layer.sublayers[0], layer.sublayers[1], {.post_norm = post_norm, .block = nn::PerLayerInputSpec{width}}};
  return spec;
}

}  // namespace

TEST_CASE("every layer gets an input for each token", "[nn][per-layer]") {
  for (const std::size_t width : {1u, 7u, 16u, 40u}) check_decoder(told(width));
  nn::DecoderSpec spec = told(6, "");
  spec.embedding.scale = 3;  // the projection reads the scaled embedding
  check_decoder(spec);
  spec.stack.layers[1].sublayers = {spec.stack.layers[1].sublayers[0]};  // not every layer listens
  check_decoder(spec);
}

TEST_CASE("per-layer inputs depend on the token only", "[nn][per-layer]") {
  const nn::DecoderSpec spec = told(8);
  Tensors tensors = random_weights(spec);
  const auto before = decoder_logits(spec, tensors, kTokens);
  auto& table = tensors.at("per_layer_token_embd.weight").values;
  for (std::size_t i = 0; i < 16; ++i) table[3 * 16 + i] += 1;  // of token 3, which comes first and last
  const auto after = decoder_logits(spec, tensors, kTokens);
  CHECK(before != after);
  for (std::size_t i = 0; i < 16; ++i) table[14 * 16 + i] += 1;  // which does not come
  CHECK(decoder_logits(spec, tensors, kTokens) == after);
}

TEST_CASE("tables of another shape are named", "[nn][per-layer]") {
  const nn::DecoderSpec spec = told(8);
  for (const std::string name : {"per_layer_token_embd.weight", "per_layer_model_proj.weight", "per_layer_proj_norm.weight",
                                 "blk.1.inp_gate.weight", "blk.1.proj.weight"}) {
    Tensors tensors = random_weights(spec);
    Tensor& tensor = tensors.at(name);
    tensor.shape.back() += 1;
    tensor.values.resize(tensor.values.size() + tensor.shape[0]);
    check_throws(ErrorCode::invalid_file, name + ": has shape", [&] { decoder_logits(spec, tensors, kTokens); });
    tensors.erase(name);
    check_throws(ErrorCode::invalid_file, name + ": the file lacks", [&] { decoder_logits(spec, tensors, kTokens); });
  }
}

TEST_CASE("rows of a table are read exactly, in every type, on every target", "[nn][per-layer]") {
  Fuzz fuzz(5);
  for (const DTypeInfo& type : kDTypes) {
    const DType dtype = type.dtype;
    const std::size_t columns = (700 / type.block_values + 1) * type.block_values;  // some pieces, and most of one
    constexpr std::size_t kRows = 5;
    const auto stored = stored_rows(dtype, kRows, columns, fuzz);
    nn::LookupTable table(dtype, kRows, columns);
    std::copy(stored.begin(), stored.end(), table.stored());
    for (const kernels::Kernels* target : kernels::available()) {
      INFO(type.name << ", " << target->name);
      REQUIRE(target->panel_bytes(dtype, nn::LookupTable::kPiece) <= nn::LookupTable::kPanelBytes);
      Buffer<std::byte> panel(nn::LookupTable::kPanelBytes);
      for (const std::size_t row : {4u, 0u, 2u}) {
        std::vector<float> got(columns);
        table.read(row, panel.data(), got.data(), *target);
        const auto expected = dequantize(dtype, stored.data() + row * row_bytes(dtype, columns), columns);
        for (std::size_t i = 0; i < columns; ++i) {
          INFO("row " << row << ", column " << i);
          REQUIRE(std::abs(got[i] - expected[i]) <= 1e-6 * std::abs(expected[i]) + 1e-9);
        }
      }
    }
  }
}
