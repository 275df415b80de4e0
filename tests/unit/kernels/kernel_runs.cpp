#include "unit/kernels/kernel_runs.hpp"

#include <algorithm>

#include "support/stored_rows.hpp"
#include "tensor/buffer.hpp"
#include "unit/kernels/attend.hpp"
#include "unit/kernels/packed.hpp"

namespace heed::test {
namespace {

using kernels::Activation;
using kernels::kFewTokens;
using kernels::Kernels;

// A new kernel changes the table's size, and needs a run in the list below. Kernels that prepare inputs of products are covered by
// matmul's.
static_assert(sizeof(Kernels) == sizeof(std::string_view) + sizeof(std::size_t) + 28 * sizeof(void*));

/// Ordinary values half of the time.
std::vector<float> values(std::size_t n, Fuzz& fuzz) { return fuzz.flip() ? fuzz.reals(n, 4) : fuzz.hostiles(n); }

template <class T>
void append(std::vector<float>& out, const T& more) {
  for (const auto value : more) out.push_back(static_cast<float>(value));
}

template <DType kType>
std::size_t columns(Fuzz& fuzz) {
  const std::size_t block = std::max<std::size_t>(info(kType).block_values, 1);
  return block * fuzz.from_to(1, block == 1 ? 70 : block == 32 ? 6 : 3);
}

template <DType kType>
std::vector<float> pack_and_unpack(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t rows = fuzz.from_to(1, 19), k = columns<kType>(fuzz);
  const Packed w(kernels, kType, rows, k, stored_rows(kType, rows, k, fuzz, fuzz.flip()));
  std::vector<float> out(rows * k);
  for (std::size_t row = 0; row < rows; ++row) kernels.unpack_row(w.matrix(), row, out.data() + row * k);
  return out;
}

/// In two calls, cut between any two panels.
template <DType kType>
std::vector<float> matmul(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t rows = fuzz.from_to(1, 45), k = columns<kType>(fuzz), tokens = fuzz.from_to(1, kFewTokens + 5);
  const bool hostile = fuzz.from_to(0, 3) == 0;
  const Packed w(kernels, kType, rows, k, stored_rows(kType, rows, k, fuzz, hostile));
  Activations x(kernels, tokens, k, hostile ? fuzz.hostiles(tokens * k) : fuzz.reals(tokens * k));
  const std::vector<float> bias = fuzz.reals(rows);
  const float* offset = fuzz.flip() ? bias.data() : nullptr;
  const std::size_t stride = rows + fuzz.from_to(0, 3), cut = fuzz.from_to(0, w.panels());
  std::vector<float> y(tokens * stride, -7.0f);
  kernels.matmul(w.matrix(), x.input(), offset, cut, w.panels(), y.data(), stride, x.scratch());
  kernels.matmul(w.matrix(), x.input(), offset, 0, cut, y.data(), stride, x.scratch());
  return y;
}

/// The same for one token or a few, cut between any two pairs of panels.
template <DType kType>
std::vector<float> matvec(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t rows = fuzz.from_to(1, 45), k = columns<kType>(fuzz);
  const std::size_t tokens = fuzz.flip() ? 1 : fuzz.from_to(1, kFewTokens), stride = rows + 1;
  const Packed w(kernels, kType, rows, k, stored_rows(kType, rows, k, fuzz, false));
  Activations x(kernels, tokens, k, fuzz.reals(tokens * k));
  const std::vector<float> bias = fuzz.reals(rows);
  const float* offset = fuzz.flip() ? bias.data() : nullptr;
  const std::size_t pairs = heed::kernels::panel_pairs(w.panels()), cut = fuzz.from_to(0, 8) * pairs / 8;
  std::vector<float> y(tokens * stride, -7.0f);
  kernels.matvec(w.matrix(), x.input(), offset, cut, pairs, y.data(), stride, x.scratch());
  kernels.matvec(w.matrix(), x.input(), offset, 0, cut, y.data(), stride, x.scratch());
  return y;
}

template <DType kType>
std::vector<float> add_matvec(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t rows = fuzz.from_to(1, 45), k = columns<kType>(fuzz);
  const Packed w(kernels, kType, rows, k, stored_rows(kType, rows, k, fuzz, false));
  Activations x(kernels, 1, k, fuzz.reals(k));
  const std::size_t pairs = heed::kernels::panel_pairs(w.panels()), cut = fuzz.from_to(0, 8) * pairs / 8;
  std::vector<float> y = fuzz.reals(rows);
  kernels.add_matvec(w.matrix(), x.input(), 0.3f, cut, pairs, y.data());
  kernels.add_matvec(w.matrix(), x.input(), 0.3f, 0, cut, y.data());
  return y;
}

std::vector<float> quantize(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t k = 32 * fuzz.from_to(1, 5);
  std::vector<float> x = values(k, fuzz);
  if (fuzz.flip())
    for (float& value : x) value *= 0x1p-126f;
  const Activations made(kernels, 1, k, x);
  std::vector<float> out;
  append(out, made.codes());
  append(out, made.scales());
  append(out, made.sums());
  return out;
}

std::vector<float> rms_norm(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t n = fuzz.from_to(1, 70);
  std::vector<float> x = values(n, fuzz), weight = fuzz.reals(n), y(n);
  kernels.rms_norm(x.data(), weight.data(), 1e-5f, n, y.data());
  kernels.rms_norm(x.data(), weight.data(), 1e-5f, n, x.data());
  append(y, x);
  return y;
}

std::vector<float> layer_norm(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t n = fuzz.from_to(1, 70);
  std::vector<float> x = values(n, fuzz), weight = fuzz.reals(n), bias = fuzz.reals(n), y(n);
  kernels.layer_norm(x.data(), weight.data(), nullptr, 1e-5f, n, y.data());
  kernels.layer_norm(x.data(), weight.data(), bias.data(), 1e-5f, n, x.data());
  append(y, x);
  return y;
}

std::vector<float> rope(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t heads = fuzz.from_to(1, 4), rotary = 2 * fuzz.from_to(1, 40), head = rotary + fuzz.from_to(0, 5);
  std::vector<float> x = values(heads * head, fuzz);
  const std::vector<float> cosines = fuzz.reals(rotary / 2), sines = fuzz.reals(rotary / 2);
  kernels.rope(x.data(), heads, head, rotary, cosines.data(), sines.data());
  return x;
}

/// Stores a random number of positions, then attends from random ranges of them, with and without the weights wanted.
template <KvType kType>
std::vector<float> attention(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t key_dim = fuzz.from_to(1, 40), value_dim = fuzz.flip() ? key_dim : fuzz.from_to(1, 40);
  const std::size_t positions = fuzz.from_to(1, fuzz.from_to(0, 3) == 0 ? 900 : 60);
  const OneHead cache(kType, key_dim, value_dim, positions);
  const kernels::KvHead& kv = cache.head;
  const bool hostile = fuzz.from_to(0, 3) == 0;
  for (std::size_t t = 0; t < positions; ++t) {
    const auto key = hostile ? fuzz.hostiles(key_dim) : fuzz.reals(key_dim);
    const auto value = hostile ? fuzz.hostiles(value_dim) : fuzz.reals(value_dim);
    kernels.store_kv(kv, t, key.data(), value.data());
  }
  std::vector<SeenQuery> queries(fuzz.from_to(1, kernels::most_queries(kType) + 2));
  for (SeenQuery& q : queries) {
    q.end = fuzz.from_to(1, positions);
    q.begin = fuzz.from_to(0, q.end - 1);
    q.query = fuzz.reals(key_dim, 8);
    if (fuzz.flip()) q.bias = hostile ? fuzz.hostiles(kernels::padded(q.end)) : fuzz.reals(kernels::padded(q.end), 3);
    if (fuzz.flip()) q.sink = hostile ? fuzz.hostile() : fuzz.real(3);
  }
  std::vector<float> all;
  for (const bool wanted : {true, false}) {
    HowToAttend how{.scale = 0.25f, .softcap = fuzz.flip() ? 5.0f : 0.0f};
    how.together = fuzz.from_to(1, kernels::most_queries(kType));
    how.split = fuzz.flip();
    how.wants_weights = wanted;
    for (const Attended& result : attend(kernels, kv, queries, how)) {
      append(all, result.output);
      append(all, result.weights);
    }
  }
  return all;
}

/// Stores positions, saves them, loads them into another chunk, and saves that.
template <KvType kType>
std::vector<float> saving(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t key_dim = fuzz.from_to(1, 40), value_dim = fuzz.from_to(1, 40), positions = fuzz.from_to(1, 60);
  const OneHead cache(kType, key_dim, value_dim, positions), other(kType, key_dim, value_dim, positions);
  for (std::size_t t = 0; t < positions; ++t)
    kernels.store_kv(cache.head, t, fuzz.reals(key_dim, 4).data(), fuzz.reals(value_dim, 4).data());
  std::vector<std::byte> saved(static_cast<std::size_t>(kernels::kv_saved_bytes(kType, key_dim, value_dim, positions)));
  std::vector<std::byte> again(saved.size());
  kernels.save_kv(cache.head, 0, positions, saved.data());
  std::vector<float> out{kernels.load_kv(other.head, 0, positions, saved.data()) ? 1.0f : 0.0f};
  kernels.save_kv(other.head, 0, positions, again.data());
  out.push_back(saved == again ? 1.0f : 0.0f);
  append(out, saved);
  return out;
}

/// Tokens that follow one another, in one call and in two.
std::vector<float> linear_attention(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t rows = fuzz.from_to(1, 40), columns = fuzz.from_to(1, 16), tokens = fuzz.from_to(1, 5);
  const std::size_t cut = fuzz.from_to(0, tokens);
  const auto numbers = [&, hostile = fuzz.from_to(0, 3) == 0](std::size_t n) {
    return hostile ? fuzz.hostiles(n) : fuzz.reals(n, 2);
  };
  std::vector<float> state(kernels::linear_attention_state(rows, columns)), out(tokens * columns);
  const std::vector<float> before = fuzz.reals(rows * columns), q = numbers(tokens * rows), k = numbers(tokens * rows),
                           v = numbers(tokens * columns), decays = fuzz.reals(tokens), betas = fuzz.reals(tokens);
  for (std::size_t i = 0; i < before.size(); ++i) state[i / columns * kernels::kWide + i % columns] = before[i];
  const bool delta = fuzz.flip();
  for (const auto& [from, to] : {std::pair{std::size_t{0}, cut}, {cut, tokens}})
    kernels.linear_attention({.state = state.data(),
                              .rows = rows,
                              .columns = columns,
                              .delta = delta,
                              .tokens = to - from,
                              .queries = q.data() + from * rows,
                              .keys = k.data() + from * rows,
                              .key_stride = rows,
                              .values = v.data() + from * columns,
                              .value_stride = columns,
                              .decays = decays.data() + from,
                              .betas = betas.data() + from,
                              .gate_stride = 1,
                              .out = out.data() + from * columns,
                              .out_stride = columns});
  append(out, state);
  return out;
}

std::vector<float> convolve(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t taps = fuzz.from_to(1, 5), n = fuzz.from_to(1, 70);
  const std::vector<float> x = values(taps * n, fuzz), weights = fuzz.reals(taps * n), bias = fuzz.reals(n);
  std::vector<const float*> inputs;
  for (std::size_t tap = 0; tap < taps; ++tap) inputs.push_back(x.data() + tap * n);
  std::vector<float> out(n);
  kernels.convolve(inputs.data(), weights.data(), fuzz.flip() ? bias.data() : nullptr, taps, n, out.data());
  return out;
}

template <Activation kActivation>
std::vector<float> activate(const Kernels& kernels, Fuzz& fuzz) {
  const std::size_t n = fuzz.from_to(1, 70);
  std::vector<float> gated = values(n, fuzz), plain = gated;
  const std::vector<float> up = values(n, fuzz);
  kernels.activate(kActivation, gated.data(), up.data(), n);
  if (kActivation != Activation::swiglu_oai) kernels.activate(kActivation, plain.data(), nullptr, n);
  append(gated, plain);
  return gated;
}

std::vector<float> xielu(const Kernels& kernels, Fuzz& fuzz) {
  std::vector<float> x = values(fuzz.from_to(1, 70), fuzz);
  const float linear = fuzz.from_to(0, 3) == 0 ? fuzz.hostile() : fuzz.real(2);
  kernels.xielu({fuzz.real(2), fuzz.real(2), linear}, x.data(), x.size());
  return x;
}

std::vector<float> add(const Kernels& kernels, Fuzz& fuzz) {
  std::vector<float> x = values(fuzz.from_to(1, 70), fuzz);
  const std::vector<float> y = values(x.size(), fuzz);
  kernels.add(x.data(), y.data(), x.size());
  return x;
}

std::vector<float> add_scaled(const Kernels& kernels, Fuzz& fuzz) {
  std::vector<float> x = values(fuzz.from_to(1, 70), fuzz);
  const std::vector<float> y = values(x.size(), fuzz);
  kernels.add_scaled(x.data(), y.data(), fuzz.from_to(0, 3) == 0 ? fuzz.hostile() : fuzz.real(3), x.size());
  return x;
}

std::vector<float> scale(const Kernels& kernels, Fuzz& fuzz) {
  std::vector<float> x = values(fuzz.from_to(1, 70), fuzz);
  kernels.scale(x.data(), fuzz.from_to(0, 3) == 0 ? fuzz.hostile() : fuzz.real(3), x.size());
  return x;
}

std::vector<float> softcap(const Kernels& kernels, Fuzz& fuzz) {
  std::vector<float> x = values(fuzz.from_to(1, 70), fuzz);
  kernels.softcap(x.data(), fuzz.flip() ? 30.0f : 0.5f, x.size());
  return x;
}

std::vector<float> softmax(const Kernels& kernels, Fuzz& fuzz) {
  std::vector<float> x = values(fuzz.from_to(1, 70), fuzz);
  kernels.softmax(x.data(), x.size());
  return x;
}

template <DType kType>
void add_runs_of(std::vector<KernelRun>& runs) {
  const std::string suffix = " " + std::string(info(kType).name);
  runs.push_back({"pack_row, unpack_row" + suffix, pack_and_unpack<kType>});
  runs.push_back({"matmul" + suffix, matmul<kType>});
  runs.push_back({"matvec" + suffix, matvec<kType>});
  if constexpr (!kernels::takes_int8(kType)) runs.push_back({"add_matvec" + suffix, add_matvec<kType>});
}

template <KvType kType>
void add_runs_of(std::vector<KernelRun>& runs) {
  runs.push_back({"store_kv, save_kv, load_kv " + std::string(to_string(kType)), saving<kType>});
  runs.push_back({"store_kv, attention " + std::string(to_string(kType)), attention<kType>});
}

}  // namespace

std::span<const KernelRun> kernel_runs() {
  static const std::vector<KernelRun> all = [] {
    std::vector<KernelRun> runs = {
        {"quantize", quantize},
        {"rms_norm", rms_norm},
        {"layer_norm", layer_norm},
        {"rope", rope},
        {"linear_attention", linear_attention},
        {"convolve", convolve},
        {"activate relu", activate<Activation::relu>},
        {"activate relu_squared", activate<Activation::relu_squared>},
        {"activate silu", activate<Activation::silu>},
        {"activate gelu", activate<Activation::gelu>},
        {"activate gelu_tanh", activate<Activation::gelu_tanh>},
        {"activate gelu_quick", activate<Activation::gelu_quick>},
        {"activate sigmoid", activate<Activation::sigmoid>},
        {"activate swiglu_oai", activate<Activation::swiglu_oai>},
        {"xielu", xielu},
        {"add", add},
        {"add_scaled", add_scaled},
        {"scale", scale},
        {"softcap", softcap},
        {"softmax", softmax},
    };
    add_runs_of<DType::f32>(runs);
    add_runs_of<DType::f16>(runs);
    add_runs_of<DType::bf16>(runs);
    add_runs_of<DType::q8_0>(runs);
    add_runs_of<DType::q4_0>(runs);
    add_runs_of<DType::q4_1>(runs);
    add_runs_of<DType::q5_0>(runs);
    add_runs_of<DType::q5_1>(runs);
    add_runs_of<DType::q2_k>(runs);
    add_runs_of<DType::q3_k>(runs);
    add_runs_of<DType::q4_k>(runs);
    add_runs_of<DType::q5_k>(runs);
    add_runs_of<DType::q6_k>(runs);
    add_runs_of<DType::iq4_nl>(runs);
    add_runs_of<DType::iq4_xs>(runs);
    add_runs_of<DType::mxfp4>(runs);
    add_runs_of<DType::tq1_0>(runs);
    add_runs_of<DType::tq2_0>(runs);
    add_runs_of<DType::iq2_xxs>(runs);
    add_runs_of<DType::iq2_xs>(runs);
    add_runs_of<DType::iq2_s>(runs);
    add_runs_of<DType::iq3_xxs>(runs);
    add_runs_of<DType::iq3_s>(runs);
    add_runs_of<DType::iq1_s>(runs);
    add_runs_of<DType::iq1_m>(runs);
    add_runs_of<DType::q1_0>(runs);
    add_runs_of<DType::q2_0>(runs);
    add_runs_of<DType::nvfp4>(runs);
    add_runs_of<KvType::f32>(runs);
    add_runs_of<KvType::f16>(runs);
    add_runs_of<KvType::int16>(runs);
    add_runs_of<KvType::q8>(runs);
    add_runs_of<KvType::q4>(runs);
    return runs;
  }();
  return all;
}

}  // namespace heed::test
