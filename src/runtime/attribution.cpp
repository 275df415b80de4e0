#include "runtime/attribution.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <variant>

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "nn/head_terms.hpp"
#include "runtime/states.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {
namespace {

/// The reason attribution is unsupported (a residual stream that is not a sum of what its layers add), or nullptr.
const char* obstacle(const nn::StackSpec& stack) {
  if (stack.alt_up) return "has several residual streams";
  for (const nn::LayerSpec& layer : stack.layers) {
    if (!layer.output_scale.empty() || !layer.input_share.empty() || !layer.turn_norm.empty()) return "scales its residual stream";
    for (const nn::SublayerSpec& sublayer : layer.sublayers)
      if (!sublayer.residual_norm.empty() || !sublayer.again_norm.empty() || sublayer.scale != 1.0f)
        return "norms or scales its residual stream";
  }
  return nullptr;
}

double dot(std::span<const double> u, std::span<const float> x) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += u[i] * static_cast<double>(x[i]);
  return sum;
}

/// A row of a matrix, including what the adapters add to it.
std::vector<double> row_of(const nn::Linear& linear, std::size_t index, std::span<const nn::AdaptedRows> adapted,
                           const kernels::Kernels& kernels) {
  std::vector<double> row(linear.matrix.columns);
  const auto add = [&](const nn::Linear& from, std::size_t first, std::span<const float> factors) {
    std::vector<float> part(row.size());
    for (const float factor : factors) {
      kernels.unpack_row(from.matrix, first++, part.data());
      for (std::size_t k = 0; k < row.size(); ++k) row[k] += static_cast<double>(factor) * static_cast<double>(part[k]);
    }
  };
  add(linear, index, std::vector{linear.scale.empty() ? 1.0f : linear.scale[0]});
  for (const nn::AdaptedRows& use : adapted) {
    const nn::LowRank* const factors = use.adapter->find(linear);
    if (!factors) continue;
    std::vector<float> up(factors->up.matrix.columns);
    kernels.unpack_row(factors->up.matrix, index, up.data());
    for (float& x : up) x *= use.scale * use.adapter->scale(up.size());
    add(use.adapter->down(*factors), 0, up);
  }
  return row;
}

/// The sublayer that the recorded heads belong to.
const nn::Sublayer* attention_of(const nn::Layer& layer) noexcept {
  for (const nn::Sublayer& sublayer : layer.sublayers())
    if (sublayer.block().output()) return &sublayer;
  return nullptr;
}

/// The place that a layer's attention output matrix reads: the gated heads or, without a gate, the heads. Absent without attention.
std::optional<nn::NamedPlace> heads_at(const nn::StackSpec& stack, std::size_t layer) {
  const auto gated = nn::find_place(stack, AttentionOf::decoder, nn::Point::gated, layer);
  return gated ? gated : nn::find_place(stack, AttentionOf::decoder, nn::Point::head, layer);
}

/// The recorded values of a place; nothing if it is not recorded.
std::span<const float> values_at(const Recorder& recorded, nn::Point point, std::size_t layer) {
  const auto requests = recorded.requests();
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (requests[i].at.place == nn::Place{point, layer}) return recorded.values(i);
  return {};
}

}  // namespace

std::vector<Request> attribution_requests(const Model& model, std::uint32_t position) {
  const std::string& architecture = model.info().architecture;
  if (!model.decoder() || model.encoder()) throw Error(ErrorCode::unsupported, "attribution is for decoders alone", architecture);
  const nn::StackSpec& stack = model.decoder()->spec().stack;
  if (const char* why = obstacle(stack))
    throw Error(ErrorCode::unsupported, std::string("cannot be attributed: it ") + why, architecture);
  std::vector<Request> requests = state_requests(model, {{}, {position}});
  for (std::size_t layer = 0; layer < stack.layers.size(); ++layer)
    if (const auto heads = heads_at(stack, layer)) requests.push_back({*heads, {}, {position}});
  for (std::size_t layer = 0; layer < stack.layers.size(); ++layer)
    for (const nn::Point point : {nn::Point::router, nn::Point::hidden})
      if (const auto place = nn::find_place(stack, AttentionOf::decoder, point, layer);
          place && nn::find_place(stack, AttentionOf::decoder, nn::Point::router, layer))
        requests.push_back({*place, {}, {position}});
  return requests;
}

Attribution attribute(Workspace& workspace, const Recorder& recorded, tokenizer::TokenId token, const Changes& changes,
                      std::optional<tokenizer::TokenId> against) {
  const Model& model = workspace.model();
  const nn::Decoder& decoder = *model.decoder();
  const nn::Linear& head = decoder.head();
  const nn::HeadSpec& spec = decoder.spec().head;
  for (const auto one : {token, against.value_or(token)})
    if (one < 0 || static_cast<std::size_t>(one) >= head.matrix.rows)
      throw Error(ErrorCode::invalid_argument,
                  "token " + std::to_string(one) + " is outside the vocabulary of " + std::to_string(head.matrix.rows), "token");
  const auto id = static_cast<std::size_t>(token);
  std::vector<nn::AdaptedRows> adapted;
  append_rows(changes, recorded.requests()[0].positions[0], 1, 0, adapted);
  std::vector<float> logits(head.matrix.rows);
  const std::size_t layers = decoder.stack().depth();
  const auto state = [&](std::size_t depth) { return recorded.values(depth); };
  read_out(workspace, state(layers), logits, adapted);

  std::vector<double> u = row_of(head, id, adapted, model.kernels());
  Attribution result;
  result.logit = static_cast<double>(logits[id]);
  if (!head.bias.empty()) result.constant = static_cast<double>(spec.scale) * static_cast<double>(head.bias[id]);
  if (against) {
    const auto other = static_cast<std::size_t>(*against);
    const std::vector<double> less = row_of(head, other, adapted, model.kernels());
    for (std::size_t k = 0; k < u.size(); ++k) u[k] -= less[k];
    result.logit -= static_cast<double>(logits[other]);
    if (!head.bias.empty()) result.constant -= static_cast<double>(spec.scale) * static_cast<double>(head.bias[other]);
  }
  for (double& x : u) x *= static_cast<double>(spec.scale);
  if (const auto& norm = decoder.stack().final_norm()) {
    if (!norm->bias().empty()) result.constant += dot(u, norm->bias());
    norm->pull_back(std::vector<double>(state(layers).begin(), state(layers).end()), u);
  }

  result.embedding = dot(u, state(0));
  result.sum = result.constant + result.embedding;
  result.before_cap = result.constant + dot(u, state(layers));
  for (std::size_t i = 0, heads = layers + 1; i < layers; ++i) {
    nn::HeadTerms terms;
    if (const nn::Sublayer* attention = attention_of(decoder.stack().layer(i)))
      terms = nn::head_terms(*attention, recorded.values(heads++), heads_at(decoder.spec().stack, i)->parts, u, adapted,
                             model.kernels());
    auto& experts = result.experts.emplace_back();
    if (const auto router = values_at(recorded, nn::Point::router, i); !router.empty())
      for (const nn::Sublayer& sublayer : decoder.stack().layer(i).sublayers())
        if (!sublayer.post_norm() && sublayer.residual_scale() == 1.0f && experts.empty())
          experts = sublayer.block().expert_terms(router, values_at(recorded, nn::Point::hidden, i), u, model.kernels());
    const double added = dot(u, state(i + 1)) - dot(u, state(i));
    result.mlp.push_back(added - std::accumulate(terms.heads.begin(), terms.heads.end(), terms.bias));
    result.attention_bias.push_back(terms.bias);
    result.heads.push_back(std::move(terms.heads));
    result.sum += added;
  }
  return result;
}

}  // namespace heed::runtime
