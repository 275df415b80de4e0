// Turns calls that inspect a model into requests to the recorder: resolves selections of layers and heads, and names of points,
// against the model.
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

/// A pseudo layer: its state is the input of layer 0.
inline constexpr std::int32_t kEmbeddingLayer = -1;

std::optional<AttentionOf> parse_attention_of(std::string_view name) noexcept;

struct AttentionSelection {
  std::vector<std::uint32_t> layers, heads;  // empty: all
  std::optional<AttentionOf> of = {};        // absent: the decoder's; if there is no decoder, the encoder's or the image's
};
struct StateSelection {
  std::vector<std::int32_t> layers = {};      // kEmbeddingLayer to the last; empty: all of these
  std::vector<std::uint32_t> positions = {};  // empty: all
};

/// The heads of the self-attention of layer `layer`.
HeadShape heads_of(const nn::StackSpec& stack, std::size_t layer);

/// Attention weights, or norms of values. Layers without attention have zeros. Throws invalid_argument, naming it, for a layer, a
/// head or a kind of attention that the model lacks or that is listed twice. For norms, also throws unsupported for anything other
/// than self-attention in a text, and for a layer with gated heads, because their output depends on the query.
std::vector<Request> attention_requests(const Model& model, const AttentionSelection& selection, Point point = Point::weights);
/// Attention weights that a decoder computes. Throws like attention_requests(), and invalid_argument for other attention.
std::vector<Request> decoder_attention(const Model& model, const AttentionSelection& selection);
/// The inputs of one query's weights: the points sight, query, key, bias and weights, in this order.
std::vector<Request> parts_requests(const Model& model, std::uint32_t layer, std::uint32_t head, std::uint32_t query,
                                    std::optional<AttentionOf> of = {});
/// The residual stream of a decoder. Throws unsupported for a model without one, and invalid_argument, naming the layer.
std::vector<Request> state_requests(const Model& model, const StateSelection& selection);
/// The gates of recurrent layers: per layer, decays and then write strengths. `layers`: empty for all. Throws unsupported for a
/// model without gates, and invalid_argument, naming the layer.
std::vector<Request> gate_requests(const Model& model, std::vector<std::uint32_t> layers);
/// The outputs of the heads of a decoder's layer. Throws unsupported for a layer without softmax attention, and invalid_argument if
/// the layer does not exist.
std::vector<Request> head_requests(const Model& model, std::size_t layer);

/// All points of the model, in the order of a pass.
std::vector<nn::NamedPlace> places_of(const Model& model);
/// The point of this name, in which layers count from 0. Throws invalid_argument for `where`, listing the points that exist.
nn::NamedPlace find_place(const Model& model, const std::string& name, const std::string& where = "points");

/// What a call asks to read.
struct Asked {
  std::string what;                 // attention, norms, parts, states, gates or head (see above), attribution, or points
  std::vector<std::string> points;  // names of points
  std::optional<AttentionOf> of = {};
  std::vector<std::int32_t> layers = {};
  std::vector<std::uint32_t> heads = {}, positions = {};
};
/// Throws like the functions above, and invalid_argument for a point that is listed twice.
std::vector<Request> requests_of(const Model& model, const Asked& asked);

}  // namespace heed::runtime
