// What reads of the inside record: the points that a selection of layers and heads or a name stands for, of what the model has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nn/block.hpp"
#include "runtime/recorder.hpp"

namespace heed::runtime {

class Model;

using nn::HeadShape;
using nn::Point;

/// The layer whose state is what enters layer 0.
inline constexpr std::int32_t kEmbeddingLayer = -1;

std::optional<AttentionOf> parse_attention_of(std::string_view name) noexcept;

struct AttentionSelection {
  std::vector<std::uint32_t> layers, heads;  // empty: all
  std::optional<AttentionOf> of = {};        // absent: the decoder's; without one the encoder's, and without either the image's
};
struct StateSelection {
  std::vector<std::int32_t> layers = {};      // kEmbeddingLayer to the last; empty: all of these
  std::vector<std::uint32_t> positions = {};  // empty: all
};

/// The heads of the self-attention of layer `layer`.
HeadShape heads_of(const nn::StackSpec& stack, std::size_t layer);

/// Attention: weights, or norms of values. Layers without attention have zeros. Throws invalid_argument, naming the layer, the head or the
/// kind of attention that the model lacks, or what is listed twice; for norms also unsupported, for other than self-attention in a text,
/// and for a layer whose heads are gated: what they write then depends on who reads.
std::vector<Request> attention_requests(const Model& model, const AttentionSelection& selection, Point point = Point::weights);
/// Weights that a decoder computes. Throws likewise, and invalid_argument for others.
std::vector<Request> decoder_attention(const Model& model, const AttentionSelection& selection);
/// What the weights of one query are computed from, which the numbers at the points sight, query, key, bias and weights are, in this order.
std::vector<Request> parts_requests(const Model& model, std::uint32_t layer, std::uint32_t head, std::uint32_t query,
                                    std::optional<AttentionOf> of = {});
/// The residual stream of a decoder. Throws unsupported for a model without one, and invalid_argument, naming the layer.
std::vector<Request> state_requests(const Model& model, const StateSelection& selection);
/// The gates of recurrent layers, decays and then strengths of each; empty: all. Throws unsupported for a model without any, and
/// invalid_argument, naming the layer.
std::vector<Request> gate_requests(const Model& model, std::vector<std::uint32_t> layers);
/// What the heads of a decoder's layer give. Throws unsupported for one without softmax attention, and invalid_argument for one that there
/// is not.
std::vector<Request> head_requests(const Model& model, std::size_t layer);

/// All points that the model has, in the order of a pass.
std::vector<nn::NamedPlace> places_of(const Model& model);
/// The one of this name, in which layers count from 0. Throws invalid_argument for `where`, naming what the model has instead.
nn::NamedPlace find_place(const Model& model, const std::string& name, const std::string& where = "points");

/// What a call asks for.
struct Asked {
  std::string what;                 // attention, norms, parts, states, gates or head, as above; attribution; or points
  std::vector<std::string> points;  // their names
  std::optional<AttentionOf> of = {};
  std::vector<std::int32_t> layers = {};
  std::vector<std::uint32_t> heads = {}, positions = {};
};
/// Throws as the functions above do, and invalid_argument for a point that is listed twice.
std::vector<Request> requests_of(const Model& model, const Asked& asked);

}  // namespace heed::runtime
