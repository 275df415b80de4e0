#include "nn/experts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::nn {
namespace {

/// Weights are divided by their sum, which is at least this (the smallest normal f16, as llama.cpp has it).
constexpr float kSmallestSum = 6.103515625e-5f;
constexpr float kNever = -std::numeric_limits<float>::infinity();

MlpSpec shared_spec(const ExpertsSpec& spec) {
  MlpSpec shared = spec.expert;
  shared.feed_forward = spec.shared;
  shared.limit = spec.shared_limit;
  return shared;
}

/// Whether the input or the output of the chosen experts differs from the shared expert's.
bool apart(const ExpertsSpec& spec) noexcept {
  return spec.normed_router || !spec.chosen_pre_norm.empty() || !spec.chosen_post_norm.empty();
}

/// Excludes all experts but those of the best groups. A group's score is the sum of its two best experts' (arXiv:2412.19437,
/// section 2.1.2).
void drop_weak_groups(const ExpertsSpec& spec, float* ranking) noexcept {
  const std::size_t size = spec.count / spec.groups;
  float worth[ExpertsSpec::kMostGroups];
  for (std::size_t g = 0; g < spec.groups; ++g) {
    float first = kNever, second = kNever;
    for (std::size_t e = g * size; e < (g + 1) * size; ++e) {
      second = std::max(second, std::min(first, ranking[e]));
      first = std::max(first, ranking[e]);
    }
    worth[g] = size > 1 ? first + second : first;
  }
  for (std::size_t dropped = spec.groups_used; dropped < spec.groups; ++dropped) {
    const auto weakest = [&] {
      std::size_t g = 0;
      for (std::size_t other = 0; other < spec.groups; ++other)
        if (!std::isnan(worth[other]) && (std::isnan(worth[g]) || worth[other] <= worth[g])) g = other;
      return g;
    }();
    worth[weakest] = std::numeric_limits<float>::quiet_NaN();
    std::fill(ranking + weakest * size, ranking + (weakest + 1) * size, kNever);
  }
}

}  // namespace

void choose_experts(const ExpertsSpec& spec, std::span<const float> bias, float* scores, float* ranking, ExpertChoice* choices,
                    const kernels::Kernels& kernels) noexcept {
  const std::size_t count = spec.count, used = spec.used;
  if (spec.gating == Gating::softmax) kernels.softmax(scores, count);
  if (spec.gating == Gating::sigmoid) kernels.activate(kernels::Activation::sigmoid, scores, nullptr, count);
  for (std::size_t e = 0; e < count; ++e) ranking[e] = scores[e] + (bias.empty() ? 0.0f : bias[e]);
  if (spec.groups > 1) drop_weak_groups(spec, ranking);

  float weights[ExpertsSpec::kMostUsed];
  for (std::size_t i = 0; i < used; ++i) {
    const std::size_t best = static_cast<std::size_t>(std::max_element(ranking, ranking + count) - ranking);
    choices[i].expert = static_cast<std::uint32_t>(best);
    weights[i] = scores[best];
    ranking[best] = kNever;
  }
  if (spec.gating == Gating::softmax_of_chosen) kernels.softmax(weights, used);
  float sum = 0;
  for (std::size_t i = 0; i < used; ++i) sum += weights[i];
  const float divisor = spec.normalized ? std::max(sum, kSmallestSum) : 1.0f;
  for (std::size_t i = 0; i < used; ++i) choices[i].weight = weights[i] / divisor * spec.scale;
}

Experts::Experts(const ExpertsSpec& spec, std::size_t width, const std::string& name, Weights& weights)
    : spec_(spec), router_(weights.linear(name + ".ffn_gate_inp", spec.count, width, spec.expert.biased)) {
  const std::size_t f = spec.expert.feed_forward;
  const bool biased = spec.expert.biased;
  if (spec.selection_bias) selection_bias_ = weights.optional_vector(name + ".exp_probs_b.bias", spec.count);
  const std::size_t inner = spec.latent != 0 ? spec.latent : width;
  if (const std::string both = name + ".ffn_gate_up_exps"; spec.expert.gated && weights.contains(both + ".weight")) {
    experts_.gate = weights.linears(both, spec.count, f, inner, biased, {0, 2 * f});
    experts_.up = weights.linears(both, spec.count, f, inner, biased, {f, 2 * f});
  } else {
    if (spec.expert.gated) experts_.gate = weights.linears(name + ".ffn_gate_exps", spec.count, f, inner, biased);
    experts_.up = weights.linears(name + ".ffn_up_exps", spec.count, f, inner, biased);
  }
  experts_.down = weights.linears(name + ".ffn_down_exps", spec.count, inner, f, biased);
  experts_.feed_forward = f;
  if (const std::size_t size = spec.chunk_size, of_chunk = spec.chunk_feed_forward; size != 0) {
    chunks_.gate = weights.linears(name + ".ffn_gate_chexps", spec.count / size, of_chunk, width);
    chunks_.up = weights.linears(name + ".ffn_up_chexps", spec.count / size, of_chunk, width);
    chunks_.down = weights.linears(name + ".ffn_down_chexps", spec.count / size, width, of_chunk);
    chunks_.feed_forward = of_chunk;
  }
  if (spec.latent != 0) {
    latent_down_ = weights.linear(name + ".ffn_latent_down", inner, width);
    latent_up_ = weights.linear(name + ".ffn_latent_up", width, inner);
  }
  if (spec.shared != 0) shared_.emplace(shared_spec(spec), width, name, weights, std::string(spec.shared_suffix), Point::shared);
  shared_pre_norm_ = optional_norm(spec.norm, width, name + ".", spec.shared_pre_norm, weights);
  shared_post_norm_ = optional_norm(spec.norm, width, name + ".", spec.shared_post_norm, weights);
  chosen_pre_norm_ = optional_norm(spec.norm, width, name + ".", spec.chosen_pre_norm, weights);
  chosen_post_norm_ = optional_norm(spec.norm, width, name + ".", spec.chosen_post_norm, weights);
  if (spec.normed_router) router_scale_ = weights.vector(name + ".ffn_gate_inp.scale", width);
  if (spec.shared_gate) shared_gate_ = weights.linear(name + ".ffn_gate_inp_shexp", 1, width);
}

ScratchNeed Experts::need(const ExpertsSpec& spec, const PassLimits& limits) noexcept {
  const std::uint64_t rows = limits.tokens * spec.used, f = std::max(spec.expert.feed_forward, spec.chunk_feed_forward);
  const auto width = static_cast<std::size_t>(limits.width), inner = spec.latent != 0 ? spec.latent : width;
  ScratchNeed running;
  running.allocate<float>(rows * inner).allocate<float>(rows * f).allocate<float>(rows * f).allocate<Product>(2 * spec.count);
  running.allocate<std::size_t>(rows);
  ScratchNeed shared;
  if (spec.shared != 0) shared.allocate<float>(limits.tokens).with(Mlp::need(shared_spec(spec), limits));
  return ScratchNeed()
      .allocate<float>(limits.tokens * spec.count)
      .allocate<float>(limits.tokens * spec.count)
      .allocate<Choice>(rows)
      .allocate<float>(rows * inner)
      .allocate<float>(spec.latent != 0 ? limits.tokens * inner : 0)
      .allocate<float>(spec.latent != 0 || apart(spec) ? limits.tokens * width : 0)
      .product(limits.tokens, width)
      .product(rows, inner)
      .product(rows, spec.expert.feed_forward)
      .product(rows, spec.chunk_feed_forward)
      .with(running.either(shared));
}

void Experts::operator()(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t rows = h.tokens * spec_.used;
  float* scores = pass.scratch.allocate<float>(h.tokens * spec_.count);
  float* ranking = pass.scratch.allocate<float>(h.tokens * spec_.count);
  Choice* choices = pass.scratch.allocate<Choice>(rows);
  const std::size_t inner = spec_.latent != 0 ? spec_.latent : h.width;
  float* outputs = pass.scratch.allocate<float>(rows * inner);
  Activations aside = h;  // for outputs of the chosen experts that are not added to h at once
  if (spec_.latent != 0 || apart(spec_)) aside.data = pass.scratch.allocate<float>(h.tokens * h.width);
  const Activations read = apart(spec_) ? aside : h;  // the input of the chosen experts
  if (spec_.normed_router) norm_for_router(h, read.data, pass);
  project(spec_.routed_early ? pass.layer_input : spec_.normed_router ? read.data : h.data, h.tokens, {{&router_, scores}}, pass);
  pass.visit({Point::router, pass.layer}, scores, 1, spec_.count);
  for (std::size_t t = 0; t < h.tokens; ++t)
    choose_experts(spec_, selection_bias_.span(), scores + t * spec_.count, ranking + t * spec_.count, choices + t * spec_.used,
                   pass.kernels);
  show_choices(choices, h.tokens, pass);
  if (chosen_pre_norm_) (*chosen_pre_norm_)(h, read.data, pass);
  else if (read.data != h.data) std::copy_n(h.data, h.tokens * h.width, read.data);
  Activations chosen = read;  // the chosen experts' input, later their sum: T x D, or narrower
  if (spec_.latent != 0) {
    chosen = {pass.scratch.allocate<float>(h.tokens * inner), h.tokens, inner};
    project(read.data, h.tokens, {{&latent_down_, chosen.data}}, pass);
  }
  run_chosen(experts_, chosen, choices, outputs, pass);
  if (shared_) run_shared(h, pass);
  else std::fill_n(h.data, h.tokens * h.width, 0.0f);
  if (chosen.data != h.data) std::fill_n(chosen.data, chosen.tokens * chosen.width, 0.0f);

  pass.pool.parallel_for(h.tokens, 4, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t i = begin * spec_.used; i < end * spec_.used; ++i)
      pass.kernels.add_scaled(chosen.data + i / spec_.used * inner, outputs + choices[i].row * inner,
                              spec_.weighs_input ? 1.0f : choices[i].weight, inner);
  });
  if (spec_.chunk_size != 0) run_chunks(h, scores, choices, outputs, pass);
  if (chosen.data == h.data) return;
  if (spec_.latent != 0) project(chosen.data, chosen.tokens, {{&latent_up_, aside.data}}, pass);
  if (chosen_post_norm_) (*chosen_post_norm_)(aside, aside.data, pass);
  pass.kernels.add(h.data, aside.data, h.tokens * h.width);
}

void Experts::show_choices(const Choice* choices, std::size_t tokens, Pass& pass) const noexcept {
  float numbers[ExpertsSpec::kMostUsed], weights[ExpertsSpec::kMostUsed];
  for (std::size_t t = 0; t < tokens; ++t, choices += spec_.used) {
    if (!pass.of(t).listener) continue;
    for (std::size_t i = 0; i < spec_.used; ++i) {
      numbers[i] = static_cast<float>(choices[i].expert);
      weights[i] = choices[i].weight;
    }
    pass.visit_row({Point::chosen, pass.layer}, t, numbers, spec_.used);
    pass.visit_row({Point::chosen_weights, pass.layer}, t, weights, spec_.used);
  }
}

/// The router's input, T x D: each token normalized, times a learned vector / sqrt(D).
void Experts::norm_for_router(Activations h, float* normed, Pass& pass) const noexcept {
  const float shrink = 1.0f / std::sqrt(static_cast<float>(h.width));
  pass.pool.parallel_for(h.tokens, 4, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      pass.kernels.rms_norm(h.data + t * h.width, router_scale_.data(), spec_.norm.epsilon, h.width, normed + t * h.width);
      pass.kernels.scale(normed + t * h.width, shrink, h.width);
    }
  });
}

/// Replaces a token's experts by their chunks; one chunk may occur several times. As in the reference, the weight of chunk i is the
/// probability of expert i.
void Experts::choose_chunks(const float* scores, Choice* choices) const noexcept {
  float sum = 0;
  for (std::size_t i = 0; i < spec_.used; ++i) {
    choices[i].expert /= static_cast<std::uint32_t>(spec_.chunk_size);
    choices[i].weight = scores[choices[i].expert];
    sum += choices[i].weight;
  }
  for (std::size_t i = 0; i < spec_.used; ++i) choices[i].weight *= spec_.chunk_scale / std::max(sum, kSmallestSum);
}

/// h += the weighted outputs of the chunks for h.
void Experts::run_chunks(Activations h, const float* scores, Choice* choices, float* outputs, Pass& pass) const noexcept {
  for (std::size_t t = 0; t < h.tokens; ++t) choose_chunks(scores + t * spec_.count, choices + t * spec_.used);
  run_chosen(chunks_, h, choices, outputs, pass);
  for (std::size_t i = 0; i < h.tokens * spec_.used; ++i)
    pass.kernels.add_scaled(h.data + i / spec_.used * h.width, outputs + choices[i].row * h.width, choices[i].weight, h.width);
}

/// Runs every token's row through each of its experts. Rows of one expert are adjacent, so that its weights are read once.
void Experts::run_chosen(const Bank& bank, Activations h, Choice* choices, float* outputs, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t f = bank.feed_forward, rows = h.tokens * spec_.used;
  float* inputs = pass.scratch.allocate<float>(rows * h.width);
  float* hidden = pass.scratch.allocate<float>(rows * f);
  float* factor = pass.scratch.allocate<float>(rows * f);
  Product* products = pass.scratch.allocate<Product>(2 * spec_.count);
  std::size_t* tokens = pass.scratch.allocate<std::size_t>(rows);  // the token of each row

  const std::vector<Linear>& first_proj = spec_.expert.gated ? bank.gate : bank.up;
  std::size_t count = 0, used = 0;  // number of products, of the gate (if any) and up matrices of the experts chosen by any token
  std::uint32_t row = 0;
  for (std::uint32_t e = 0; e < first_proj.size(); ++e) {
    const std::uint32_t first = row;
    for (std::size_t i = 0; i < rows; ++i) {
      if (choices[i].expert != e) continue;
      choices[i].row = row;
      tokens[row] = i / spec_.used;
      std::copy_n(h.data + tokens[row] * h.width, h.width, inputs + row * h.width);
      if (spec_.weighs_input) pass.kernels.scale(inputs + row * h.width, choices[i].weight, h.width);
      ++row;
    }
    if (row == first) continue;
    const float* input = inputs + first * h.width;
    products[count++] = {&first_proj[e], input, row - first, hidden + first * f, tokens + first};
    if (spec_.expert.gated) products[count++] = {&bank.up[e], input, row - first, factor + first * f, tokens + first};
    ++used;
  }
  multiply({products, count}, pass);
  const auto show = [&](Point point, float* values) {
    for (std::size_t i = 0; &bank == &experts_ && i < rows; ++i)
      pass.visit_row({point, pass.layer}, i / spec_.used, values + choices[i].row * f, f, i % spec_.used, spec_.used);
  };
  show(Point::pre, hidden);
  if (spec_.expert.gated) show(Point::up, factor);
  activate(spec_.expert, hidden, spec_.expert.gated ? factor : nullptr, rows * f, pass);
  show(Point::hidden, hidden);
  for (std::size_t i = 0; i < used; ++i) {
    const Product& made = products[count / used * i];
    const auto first = static_cast<std::size_t>(made.out - hidden) / f;
    products[i] = {&bank.down[static_cast<std::size_t>(made.linear - first_proj.data())], made.out, made.tokens,
                   outputs + first * h.width, made.rows};
  }
  multiply({products, used}, pass);
}

std::vector<std::pair<std::uint32_t, double>> Experts::expert_terms(std::span<const float> router, std::span<const float> hidden,
                                                                    std::span<const double> u,
                                                                    const kernels::Kernels& kernels) const {
  std::vector<std::pair<std::uint32_t, double>> terms;
  if (spec_.latent != 0 || apart(spec_) || spec_.chunk_size != 0) return terms;
  std::vector<float> scores(router.begin(), router.end()), ranking(spec_.count);
  std::vector<Choice> choices(spec_.used);
  choose_experts(spec_, selection_bias_.span(), scores.data(), ranking.data(), choices.data(), kernels);
  const std::size_t f = spec_.expert.feed_forward;
  std::vector<float> row(f);
  for (std::size_t i = 0; i < spec_.used; ++i) {
    const Linear& down = experts_.down[choices[i].expert];
    const double scale = down.scale.empty() ? 1.0 : static_cast<double>(down.scale[0]);
    double sum = 0;
    for (std::size_t k = 0; k < u.size(); ++k) {
      kernels.unpack_row(down.matrix, k, row.data());
      double product = 0;
      for (std::size_t j = 0; j < f; ++j) product += static_cast<double>(row[j]) * static_cast<double>(hidden[i * f + j]);
      sum += u[k] * (scale * product + (down.bias.empty() ? 0.0 : static_cast<double>(down.bias[k])));
    }
    terms.emplace_back(choices[i].expert, spec_.weighs_input ? sum : sum * static_cast<double>(choices[i].weight));
  }
  return terms;
}

/// h = the shared expert's output.
void Experts::run_shared(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  float* gates = pass.scratch.allocate<float>(h.tokens);
  if (shared_gate_) {
    project(h.data, h.tokens, {{&*shared_gate_, gates}}, pass);
    pass.kernels.activate(kernels::Activation::sigmoid, gates, nullptr, h.tokens);
  }
  if (shared_pre_norm_) (*shared_pre_norm_)(h, h.data, pass);
  (*shared_)(h, pass);
  if (shared_post_norm_) (*shared_post_norm_)(h, h.data, pass);
  if (!shared_gate_) return;
  for (std::size_t t = 0; t < h.tokens; ++t) pass.kernels.scale(h.data + t * h.width, gates[t], h.width);
}

}  // namespace heed::nn
