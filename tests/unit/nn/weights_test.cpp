// Handing out tensors: rows in order, and errors that name the problem.
#include "nn/weights.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "support/errors.hpp"
#include "unit/nn/tiny_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

/// Row i of a matrix holds i, i + 0.5, ...
Tensor counting(std::size_t rows, std::size_t columns) {
  Tensor tensor{{rows, columns}, {}};
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < columns; ++k) tensor.values.push_back(static_cast<float>(row) + 0.5f * static_cast<float>(k));
  return tensor;
}

std::vector<float> first_column(const nn::Linear& linear) {
  std::vector<float> column, row(linear.matrix.columns);
  for (std::size_t i = 0; i < linear.matrix.rows; ++i) {
    kernels::select().unpack_row(linear.matrix, i, row.data());
    column.push_back(row[0]);
  }
  return column;
}

/// The error that building a decoder from these tensors must throw.
void check_refused(const Tensors& tensors, ErrorCode code, const std::string& message, const nn::DecoderSpec& spec = llama_like()) {
  check_throws(code, message, [&] {
    const formats::TensorFile file = directory(tensors);
    nn::Weights weights(file, kernels::select());
    const nn::Decoder decoder(spec, spec.embedding.context_length, weights);
    weights.check_all_requested();
  });
}

}  // namespace

TEST_CASE("interleaved rows are sorted into halves, head by head", "[nn]") {
  const auto order = nn::RowOrder::halves_from_interleaved(6, 0, 4);
  const std::size_t expected[] = {0, 2, 1, 3, 4, 5, 6, 8, 7, 9, 10, 11};
  for (std::size_t row = 0; row < 12; ++row) CHECK(order(row) == expected[row]);
  for (std::size_t row = 0; row < 12; ++row) CHECK(nn::RowOrder{}(row) == row);
}

TEST_CASE("neighboring quarters are sorted into halves, head by head", "[nn]") {
  const auto order = nn::RowOrder::halves_from_quarters(8, 8);
  const std::size_t expected[] = {0, 1, 4, 5, 2, 3, 6, 7};
  for (std::size_t row = 0; row < 24; ++row) CHECK(order(row) == row / 8 * 8 + expected[row % 8]);
}

TEST_CASE("a row order is a permutation of each head", "[nn]") {
  for (const std::size_t rotary : {2, 10, 64}) {
    for (const std::size_t head : {rotary, rotary + 3}) {
      const std::size_t first = head - rotary;  // the rotated part may be last
      const auto order = nn::RowOrder::halves_from_interleaved(head, first, rotary);
      std::set<std::size_t> places;
      for (std::size_t row = 0; row < 3 * head; ++row) {
        CHECK(order(row) / head == row / head);
        places.insert(order(row));
      }
      CHECK(places.size() == 3 * head);
    }
  }
}

TEST_CASE("parts of groups are sorted part by part", "[nn]") {
  const auto order = nn::RowOrder::by_part(2, 6, {1, 2, 3});  // a b b c c c a b b c c c
  const std::size_t expected[] = {0, 2, 3, 6, 7, 8, 1, 4, 5, 9, 10, 11};
  for (std::size_t row = 0; row < 12; ++row) CHECK(order(row) == expected[row]);
  const auto turned = nn::RowOrder::by_part(3, 4, {1});
  for (std::size_t i = 0; i < 12; ++i) CHECK(turned(i) == i % 4 * 3 + i / 4);
}

TEST_CASE("a matrix may be every other run of rows", "[nn]") {
  Tensors tensors;
  tensors["all.weight"] = counting(10, 3);
  const formats::TensorFile file = directory(tensors);
  nn::Weights weights(file, kernels::select());
  const nn::Linear first = weights.linear("all", 4, 3, false, {}, {0, 10, 2, 5});
  const nn::Linear second = weights.linear("all", 6, 3, false, nn::RowOrder::by_part(2, 3, {1, 2}), {2, 10, 3, 5});
  weights.check_all_requested();
  fill(weights, file, tensors);
  CHECK(first_column(first) == std::vector<float>{0, 1, 5, 6});
  CHECK(first_column(second) == std::vector<float>{2, 7, 3, 4, 8, 9});
}

TEST_CASE("blocks of drafts may be in a file, and are not read", "[nn]") {
  nn::DecoderSpec spec = llama_like();
  Tensors tensors = random_weights(spec);
  tensors["blk.2.nextn.eh_proj.weight"] = counting(4, 6);
  check_refused(tensors, ErrorCode::unsupported, "blk.2.nextn.eh_proj.weight: the architecture does not use this tensor");
  const std::vector<float> without = decoder_logits(spec, random_weights(spec), {1, 2, 3});
  spec.stack.drafts = 1;
  CHECK(decoder_logits(spec, tensors, {1, 2, 3}) == without);
}

TEST_CASE("matrices and vectors are filled from their rows, in any order", "[nn]") {
  Tensors tensors;
  tensors["all.weight"] = counting(10, 3);
  tensors["all.bias"] = {{10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  const formats::TensorFile file = directory(tensors);
  nn::Weights weights(file, kernels::select());
  const nn::Linear first = weights.linear("all", 4, 3, true, {}, {0, 10});
  const nn::Linear second = weights.linear("all", 6, 3, true, nn::RowOrder::halves_from_interleaved(6, 0, 4), {4, 10});
  weights.check_all_requested();
  for (std::size_t i = file.tensors.size(); i-- > 0;) {
    const Tensor& tensor = tensors.at(file.tensors[i].name);
    for (std::size_t row = file.tensors[i].rows(); row-- > 0;)
      weights.write_row(i, row, reinterpret_cast<const std::byte*>(tensor.values.data() + row * tensor.shape.back()));
  }
  CHECK(first_column(first) == std::vector<float>{0, 1, 2, 3});
  CHECK(first_column(second) == std::vector<float>{4, 6, 5, 7, 8, 9});
  CHECK(std::vector<float>(first.bias.span().begin(), first.bias.span().end()) == std::vector<float>{0, 1, 2, 3});
  CHECK(std::vector<float>(second.bias.span().begin(), second.bias.span().end()) == std::vector<float>{4, 6, 5, 7, 8, 9});
}

TEST_CASE("every missing tensor is an error that names it", "[nn]") {
  for (const nn::DecoderSpec& spec : {llama_like(), gpt2_like()}) {
    const Tensors whole = random_weights(spec, {.fused = spec.embedding.positions == nn::Positions::learned});
    for (const auto& [name, tensor] : whole) {
      const bool may_be_absent = name.ends_with("norm.bias");
      Tensors tensors = whole;
      tensors.erase(name);
      if (!may_be_absent && name != "blk.0.attn_qkv.weight" && name != "blk.1.attn_qkv.weight")
        check_refused(tensors, ErrorCode::invalid_file, name + ": the file lacks this tensor", spec);
    }
  }
  Tensors unfused = random_weights(gpt2_like(), {.fused = true});
  unfused.erase("blk.1.attn_qkv.weight");
  check_refused(unfused, ErrorCode::invalid_file, "blk.1.attn_q.weight: the file lacks this tensor", gpt2_like());
}

TEST_CASE("a tensor of another shape is an error that names it and both shapes", "[nn]") {
  const Tensors whole = random_weights(llama_like(), {.tied = false});
  Tensors tensors = whole;
  tensors["blk.1.ffn_down.weight"].shape = {36, 24};
  check_refused(tensors, ErrorCode::invalid_file, "blk.1.ffn_down.weight: has shape 36 x 24, expected 24 x 36");
  tensors = whole;
  tensors["output_norm.weight"].shape = {2, 12};
  check_refused(tensors, ErrorCode::invalid_file, "output_norm.weight: has shape 2 x 12, expected 24");
  tensors = whole;
  tensors["output.weight"].shape = {24 * 19};
  check_refused(tensors, ErrorCode::invalid_file, "output.weight: has shape 456, expected 19 x 24");
}

TEST_CASE("a tensor that nothing asks for is an error that names it", "[nn]") {
  Tensors tensors = random_weights(llama_like());
  tensors["blk.2.attn_norm.weight"] = {{24}, std::vector<float>(24)};
  check_refused(tensors, ErrorCode::unsupported, "blk.2.attn_norm.weight: the architecture does not use this tensor");
}

TEST_CASE("a quantized vector is refused", "[nn]") {
  const formats::TensorFile file("test", {}, {{"norm.weight", DType::q8_0, {32}, 0, 34}}, 0);
  nn::Weights weights(file, kernels::select());
  check_throws(ErrorCode::unsupported, "norm.weight: a vector must be F32, F16 or BF16",
               [&] { weights.vector("norm.weight", 32); });
}

TEST_CASE("vectors of half floats are widened", "[nn]") {
  const formats::TensorFile file("test", {}, {{"a", DType::f16, {2}, 0, 4}, {"b", DType::bf16, {2}, 4, 4}}, 0);
  nn::Weights weights(file, kernels::select());
  const Buffer<float> a = weights.vector("a", 2), b = weights.optional_vector("b", 2), none = weights.optional_vector("c", 2);
  const std::uint16_t halves[] = {0x3c00, 0xc100}, bfloats[] = {0x3f80, 0xc020};
  weights.write_row(0, 0, reinterpret_cast<const std::byte*>(halves));
  weights.write_row(1, 0, reinterpret_cast<const std::byte*>(bfloats));
  CHECK(std::vector<float>(a.span().begin(), a.span().end()) == std::vector<float>{1.0f, -2.5f});
  CHECK(std::vector<float>(b.span().begin(), b.span().end()) == std::vector<float>{1.0f, -2.5f});
  CHECK(none.empty());
}
