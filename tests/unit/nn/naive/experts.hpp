// Mixtures of experts (arXiv:1701.06538) as the families have them: every expert is computed, the chosen ones are summed.
#pragma once

#include <numeric>
#include <set>

#include "unit/nn/naive/mlp.hpp"
#include "unit/nn/naive/norm.hpp"

namespace heed::test::naive {

/// The `count` best of `among`, best first.
inline std::vector<std::size_t> best(const Vector& worth, const std::vector<std::size_t>& among, std::size_t count) {
  std::vector<std::size_t> order = among;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return worth[a] > worth[b]; });
  order.resize(count);
  return order;
}

inline std::vector<std::size_t> numbers(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// The experts of the best groups; a group is rated by the sum of its two best (arXiv:2412.19437, 2.1.2).
inline std::vector<std::size_t> of_best_groups(const nn::ExpertsSpec& spec, const Vector& worth) {
  const std::size_t size = spec.count / spec.groups;
  Vector of_group;
  for (std::size_t g = 0; g < spec.groups; ++g) {
    Vector members = part(worth, g * size, size);
    std::sort(members.rbegin(), members.rend());
    of_group.push_back(size > 1 ? members[0] + members[1] : members[0]);
  }
  std::set<std::size_t> chosen;
  for (const std::size_t g : best(of_group, numbers(spec.groups), spec.groups_used))
    for (std::size_t e = g * size; e < (g + 1) * size; ++e) chosen.insert(e);
  return {chosen.begin(), chosen.end()};
}

/// Which experts run for these router logits, and the weight of each.
inline std::vector<std::pair<std::size_t, double>> chosen(const nn::ExpertsSpec& spec, const Vector& logits,
                                                          const Vector& selection_bias) {
  Vector scores = logits;
  if (spec.gating == nn::Gating::softmax) scores = softmax(logits);
  if (spec.gating == nn::Gating::sigmoid)
    for (double& s : scores) s = logistic(s);
  Vector worth = scores;
  if (!selection_bias.empty()) add(worth, selection_bias);

  const auto used = best(worth, of_best_groups(spec, worth), spec.used);
  Vector weights;
  for (const std::size_t e : used) weights.push_back(scores[e]);
  if (spec.gating == nn::Gating::softmax_of_chosen) weights = softmax(weights);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::pair<std::size_t, double>> choice;
  for (std::size_t i = 0; i < used.size(); ++i) choice.emplace_back(used[i], weights[i] / (spec.normalized ? sum : 1) * spec.scale);
  return choice;
}

/// The router's input.
inline Vector for_router(const nn::ExpertsSpec& spec, const Vector& h, const std::string& layer, const Parameters& parameters) {
  if (!spec.normed_router) return h;
  Vector x = norm(spec.norm, h, parameters.values(layer + "ffn_gate_inp.scale"));
  for (double& v : x) v /= std::sqrt(static_cast<double>(h.size()));
  return x;
}

/// The output of expert e for x.
inline Vector expert(const nn::ExpertsSpec& spec, std::size_t e, const Vector& x, const std::string& layer,
                     const Parameters& parameters) {
  const std::size_t f = spec.expert.feed_forward;
  Vector hidden;
  if (!spec.expert.gated) {
    hidden = parameters.linear(layer + "ffn_up_exps", e, spec.count, x);
    for (double& v : hidden) v = activated(spec.expert.activation, v);
  } else if (parameters.has(layer + "ffn_gate_up_exps.weight")) {  // the gate first
    const Vector both = parameters.linear(layer + "ffn_gate_up_exps", e, spec.count, x);
    hidden = gated(spec.expert, part(both, 0, f), part(both, f, f));
  } else {
    hidden = gated(spec.expert, parameters.linear(layer + "ffn_gate_exps", e, spec.count, x),
                   parameters.linear(layer + "ffn_up_exps", e, spec.count, x));
  }
  return parameters.linear(layer + "ffn_down_exps", e, spec.count, hidden);
}

/// z and what the chunks of the chosen experts make of it, weighted by the probabilities of the experts that have their numbers
/// (arXiv:2508.07785, as its reference implementation has it).
inline Vector with_chunks(const nn::ExpertsSpec& spec, const Vector& z, const std::vector<std::pair<std::size_t, double>>& used,
                          const Vector& logits, const std::string& layer, const Parameters& parameters) {
  const Vector shares = softmax(logits);
  const std::size_t count = spec.count / spec.chunk_size;
  double sum = 0;
  for (const auto& [e, weight] : used) sum += shares[e / spec.chunk_size];
  Vector out = z;
  for (const auto& [e, weight] : used) {
    const std::size_t chunk = e / spec.chunk_size;
    const Vector hidden = gated(spec.expert.activation, parameters.linear(layer + "ffn_gate_chexps", chunk, count, z),
                                parameters.linear(layer + "ffn_up_chexps", chunk, count, z));
    add(out, parameters.linear(layer + "ffn_down_chexps", chunk, count, hidden), spec.chunk_scale * shares[chunk] / sum);
  }
  return out;
}

/// `h`: the block's input; `layer_input`: the layer's.
inline Vector experts(const nn::ExpertsSpec& spec, const Vector& h, const Vector& layer_input, const std::string& layer,
                      const Parameters& parameters) {
  const std::string bias = layer + "exp_probs_b.bias", scales = layer + "ffn_down_exps.scale";
  const bool biased = spec.selection_bias && parameters.has(bias);
  const Vector read = norm(spec.norm, h, layer, spec.chosen_pre_norm, parameters);
  const Vector narrow = spec.latent != 0 ? parameters.linear(layer + "ffn_latent_down", read) : read;
  Vector out(narrow.size());
  const Vector logits = parameters.linear(layer + "ffn_gate_inp",
                                          spec.routed_early ? layer_input : for_router(spec, h, layer, parameters));
  const auto used = chosen(spec, logits, biased ? parameters.values(bias) : Vector{});
  for (const auto& [e, weight] : used) {
    const double scale = parameters.has(scales) ? parameters.values(scales)[e] : 1;
    Vector input = narrow;
    for (double& v : input) v *= spec.weighs_input ? weight : 1;
    add(out, expert(spec, e, input, layer, parameters), spec.weighs_input ? 1 : weight * scale);
  }
  if (spec.chunk_size != 0) out = with_chunks(spec, out, used, logits, layer, parameters);
  if (spec.latent != 0) out = parameters.linear(layer + "ffn_latent_up", out);
  out = norm(spec.norm, out, layer, spec.chosen_post_norm, parameters);
  if (spec.shared != 0) {
    nn::MlpSpec shared = spec.expert;
    shared.feed_forward = spec.shared;
    shared.limit = spec.shared_limit;
    const double gate = spec.shared_gate ? logistic(parameters.linear(layer + "ffn_gate_inp_shexp", h)[0]) : 1;
    const Vector made = mlp(shared, norm(spec.norm, h, layer, spec.shared_pre_norm, parameters), layer, parameters,
                            std::string(spec.shared_suffix));
    add(out, norm(spec.norm, made, layer, spec.shared_post_norm, parameters), gate);
  }
  return out;
}

}  // namespace heed::test::naive
