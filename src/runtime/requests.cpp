#include "runtime/requests.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "nn/blocks.hpp"
#include "nn/decoder.hpp"
#include "runtime/attribution.hpp"
#include "runtime/model.hpp"
#include "runtime/selection.hpp"

namespace heed::runtime {
namespace {

/// A point of a layer; with 0 parts if the layer lacks the point.
nn::NamedPlace place_of(const nn::StackSpec& stack, AttentionOf of, Point point, std::size_t layer) {
  return nn::find_place(stack, of, point, layer).value_or(nn::NamedPlace{{point, layer, of == AttentionOf::cross}, of, 0, 1});
}

const nn::StackSpec& stack_of(const Model& model, AttentionOf of) {
  const nn::ModelSpec& spec = model.spec();
  return of == AttentionOf::image ? spec.vision->stack : of == AttentionOf::encoder ? spec.encoder->stack : spec.decoder->stack;
}

/// The kind of attention that a call asks for, or the model's default. Throws invalid_argument if the model lacks it.
AttentionOf kind_of(const Model& model, std::optional<AttentionOf> asked) {
  const ModelInfo& info = model.info();
  const AttentionOf of = asked.value_or(info.generates ? AttentionOf::decoder
                                        : info.embeds  ? AttentionOf::encoder
                                                       : AttentionOf::image);
  const bool there = of == AttentionOf::decoder   ? info.generates
                     : of == AttentionOf::cross   ? info.generates && info.embeds
                     : of == AttentionOf::encoder ? info.embeds
                                                  : info.sees;
  if (!there) throw Error(ErrorCode::invalid_argument, "the model has no such attention", "of");
  return of;
}

/// The decoder's point of this name, if there is one. Faster than comparing the names of all points, which takes half a
/// millisecond.
std::optional<nn::NamedPlace> find_in_decoder(const Model& model, const std::string& name) {
  if (!model.decoder()) return std::nullopt;
  std::size_t layer = 0;
  if (const std::size_t dot = name.find('.'); dot != std::string::npos)
    std::from_chars(name.data() + dot + 1, name.data() + name.size(), layer);
  for (std::size_t i = 0; i < nn::kPoints; ++i)
    if (const nn::NamedPlace place{{static_cast<Point>(i), layer}}; place.name() == name)
      return nn::find_place(model.decoder()->spec(), place.place.point, layer);
  return std::nullopt;
}

/// A point's name with L in place of the layer's number.
std::string form_of(const std::string& name) {
  std::string form;
  bool has_layer = false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string part = name.substr(begin, end - begin), dot = begin == 0 ? "" : ".";
    std::uint64_t layer = 0;
    const char* const last = part.data() + part.size();
    const auto [at, error] = std::from_chars(part.data(), last, layer);
    const bool is_layer = !has_layer && !part.empty() && error == std::errc() && at == last;
    form += dot + (is_layer ? "L" : part);
    has_layer = has_layer || is_layer;
    begin = end + 1;
  }
  return form;
}

}  // namespace

std::optional<AttentionOf> parse_attention_of(std::string_view name) noexcept {
  if (name == "decoder") return AttentionOf::decoder;
  if (name == "cross") return AttentionOf::cross;
  if (name == "encoder") return AttentionOf::encoder;
  if (name == "image") return AttentionOf::image;
  return std::nullopt;
}

HeadShape heads_of(const nn::StackSpec& stack, std::size_t layer) {
  for (const nn::SublayerSpec& sublayer : stack.layers[layer].sublayers)
    if (const HeadShape heads = nn::block_traits(sublayer.block, stack.width).heads; heads.count > 0) return heads;
  return {};
}

std::vector<Request> attention_requests(const Model& model, const AttentionSelection& selection, Point point) {
  const ModelInfo& info = model.info();
  const AttentionOf of = kind_of(model, selection.of);
  const bool of_image = of == AttentionOf::image;
  const std::size_t layers = of_image ? info.vision_layers : of == AttentionOf::encoder ? info.encoder_layers : info.layers;
  const std::size_t all_heads = of_image ? info.vision_heads : info.heads;
  const std::vector<std::uint32_t> chosen = complete(selection.layers, layers, "layers");
  const std::vector<std::uint32_t> heads = complete(selection.heads, all_heads, "heads");
  slots(chosen, layers, "layers");
  slots(heads, all_heads, "heads");
  if (point == Point::norms && of != AttentionOf::decoder && of != AttentionOf::encoder)
    throw Error(ErrorCode::unsupported, "values are those of self-attention in a text", "of");
  std::vector<Request> requests;
  for (const std::uint32_t layer : chosen) {
    const nn::StackSpec& stack = stack_of(model, of);
    if (point == Point::norms && heads_of(stack, layer).gated)
      throw Error(ErrorCode::unsupported, "layer " + std::to_string(layer) + " has gated heads", info.architecture);
    if (!heads.empty()) requests.push_back({place_of(stack, of, point, layer), heads});
  }
  return requests;
}

std::vector<Request> decoder_attention(const Model& model, const AttentionSelection& selection) {
  std::vector<Request> requests = attention_requests(model, selection);
  const AttentionOf of = kind_of(model, selection.of);
  if (of != AttentionOf::decoder && of != AttentionOf::cross)
    throw Error(ErrorCode::invalid_argument, "generation only has decoder attention and cross-attention", "of");
  return requests;
}

std::vector<Request> parts_requests(const Model& model, std::uint32_t layer, std::uint32_t head, std::uint32_t query,
                                    std::optional<AttentionOf> of) {
  attention_requests(model, {{layer}, {head}, of});
  const AttentionOf kind = kind_of(model, of);
  const nn::StackSpec& stack = stack_of(model, kind);
  std::vector<Request> requests;
  for (const Point point : {Point::sight, Point::query, Point::key, Point::bias, Point::weights}) {
    Request request{place_of(stack, kind, point, layer), {head}, {query}};
    if (point == Point::key) {
      const std::size_t heads = place_of(stack, kind, Point::query, layer).parts;
      request.parts = {heads == 0 ? head : static_cast<std::uint32_t>(head / (heads / request.at.parts))};
      request.positions = {};
    }
    if (point == Point::sight) request.at.width = 6;
    requests.push_back(std::move(request));
  }
  return requests;
}

std::vector<Request> state_requests(const Model& model, const StateSelection& selection) {
  if (!model.decoder()) throw Error(ErrorCode::unsupported, "does not generate text", model.info().architecture);
  const nn::StackSpec& stack = model.spec().decoder->stack;
  const auto count = static_cast<std::int32_t>(stack.layers.size());
  std::vector<std::int32_t> layers = selection.layers;
  if (layers.empty())
    for (std::int32_t layer = kEmbeddingLayer; layer < count; ++layer) layers.push_back(layer);
  std::vector<Request> requests;
  for (const std::int32_t layer : layers) {
    if (layer < kEmbeddingLayer || layer >= count)
      throw Error(ErrorCode::invalid_argument,
                  std::to_string(layer) + " is out of range: the model has " + std::to_string(count) +
                      " layers, and -1 is what enters them",
                  "layers");
    const nn::Place place{layer < 0 ? Point::embed : Point::resid, static_cast<std::size_t>(std::max(layer, 0))};
    if (std::ranges::any_of(requests, [&](const Request& other) { return other.at.place == place; }))
      throw Error(ErrorCode::invalid_argument, std::to_string(layer) + " is listed twice", "layers");
    requests.push_back({{place, AttentionOf::decoder, 1, stack.width}, {}, selection.positions});
  }
  return requests;
}

std::vector<Request> gate_requests(const Model& model, std::vector<std::uint32_t> layers) {
  const ModelInfo& info = model.info();
  if (info.recurrent_layers.empty()) throw Error(ErrorCode::unsupported, "has no recurrent layers", info.architecture);
  if (layers.empty()) layers = info.recurrent_layers;
  slots(complete(layers, info.layers, "layers"), info.layers, "layers");
  std::vector<Request> requests;
  for (const std::uint32_t layer : layers) {
    if (std::ranges::find(info.recurrent_layers, layer) == info.recurrent_layers.end())
      throw Error(ErrorCode::invalid_argument, std::to_string(layer) + " is not a recurrent layer", "layers");
    for (const Point point : {Point::decay, Point::write}) {
      requests.push_back({place_of(stack_of(model, AttentionOf::decoder), AttentionOf::decoder, point, layer)});
      requests.back().at.width = 1;
    }
  }
  return requests;
}

std::vector<Request> head_requests(const Model& model, std::size_t layer) {
  const ModelInfo& info = model.info();
  if (!model.decoder()) throw Error(ErrorCode::unsupported, "does not generate text", info.architecture);
  if (layer >= info.layers)
    throw Error(ErrorCode::invalid_argument,
                std::to_string(layer) + " is out of range: the model has " + std::to_string(info.layers) + " layers", "layers");
  const auto place = nn::find_place(model.spec().decoder->stack, AttentionOf::decoder, Point::head, layer);
  if (!place)
    throw Error(ErrorCode::unsupported, "layer " + std::to_string(layer) + " has no softmax attention", info.architecture);
  return {{*place}};
}

std::vector<nn::NamedPlace> places_of(const Model& model) {
  const nn::ModelSpec& spec = model.spec();
  std::vector<nn::NamedPlace> places;
  const auto add = [&](const nn::StackSpec& stack, AttentionOf of) {
    for (nn::NamedPlace& place : nn::places_of(stack, of)) places.push_back(std::move(place));
  };
  if (spec.decoder) {
    const auto add_beside = [&](std::span<const Point> points) {
      for (const Point point : points)
        if (const auto place = nn::find_place(*spec.decoder, point, 0)) places.push_back(*place);
    };
    add_beside(nn::kEmbeddingPoints);
    add(spec.decoder->stack, AttentionOf::decoder);
    add_beside(nn::kEndPoints);
  }
  if (spec.encoder) add(spec.encoder->stack, AttentionOf::encoder);
  if (model.info().sees) add(spec.vision->stack, AttentionOf::image);
  return places;
}

nn::NamedPlace find_place(const Model& model, const std::string& name, const std::string& where) {
  if (const auto place = find_in_decoder(model, name)) return *place;
  const std::string wanted = form_of(name);
  std::vector<std::string> forms;  // names of the existing points, with L for the layer
  std::string layers;              // the layers that have this point
  for (const nn::NamedPlace& place : places_of(model)) {
    const std::string plain = place.name();
    if (plain == name) return place;
    const std::string form = form_of(plain);
    if (std::ranges::find(forms, form) == forms.end()) forms.push_back(form);
    if (form == wanted) layers += (layers.empty() ? "" : ", ") + std::to_string(place.place.layer);
  }
  std::string known;
  for (const std::string& form : forms) known += (known.empty() ? "" : ", ") + form;
  throw Error(ErrorCode::invalid_argument,
              name + (layers.empty() ? " is no point of this model, which has " + known
                                     : " is not there: the layers with it are " + layers),
              where);
}

std::vector<Request> requests_of(const Model& model, const Asked& asked) {
  const std::vector<std::uint32_t> layers(asked.layers.begin(), asked.layers.end());
  if (asked.what == "attention") return attention_requests(model, {layers, asked.heads, asked.of});
  if (asked.what == "norms") return attention_requests(model, {layers, asked.heads, asked.of}, Point::norms);
  if (asked.what == "parts") return parts_requests(model, layers.at(0), asked.heads.at(0), asked.positions.at(0), asked.of);
  if (asked.what == "states") return state_requests(model, {asked.layers, asked.positions});
  if (asked.what == "gates") return gate_requests(model, layers);
  if (asked.what == "attribution") return attribution_requests(model, asked.positions.at(0));
  if (asked.what == "head") return head_requests(model, layers.at(0));
  std::vector<Request> requests;
  for (const std::string& name : asked.points) {
    const nn::NamedPlace at = find_place(model, name);
    if (std::ranges::any_of(requests, [&](const Request& other) { return other.at.of == at.of && other.at.place == at.place; }))
      throw Error(ErrorCode::invalid_argument, name + " is listed twice", "points");
    const bool of_text = (at.of != AttentionOf::encoder || !model.decoder()) &&
                         !(at.of == AttentionOf::cross && is_of_keys(at.place.point));
    requests.push_back({at, {}, of_text ? asked.positions : std::vector<std::uint32_t>()});
  }
  return requests;
}

}  // namespace heed::runtime
