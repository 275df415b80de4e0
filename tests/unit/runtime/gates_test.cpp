// The gates of recurrent layers as they are recorded.
#include "runtime/requests.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <algorithm>
#include <cmath>

#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/reader.hpp"
#include "support/recorders.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using Catch::Matchers::WithinRel;
using test::GateProbe;
using test::check_throws;

namespace {

/// Sets the last `count` rows of a matrix to 0.
void silence(test::Tensor& matrix, std::size_t count) {
  std::fill(matrix.values.end() - static_cast<std::ptrdiff_t>(count * matrix.shape.back()), matrix.values.end(), 0.0f);
}

}  // namespace

TEST_CASE("recorded gates follow from the biases alone", "[runtime][gates]") {
  for (const std::string architecture : {"qwen35", "mamba2"}) {
    INFO(architecture);
    test::Tensors kept;
    const auto model = test::load_bytes(test::family_model(architecture, 64, {}, [&](test::Tensors& tensors) {
      const auto rates = std::ranges::find_if(tensors, [](const auto& named) { return named.first.ends_with(".ssm_a"); });
      const std::size_t heads = rates->second.values.size();
      for (auto& [name, tensor] : tensors) {
        if (name.ends_with(".ssm_beta.weight") || name.ends_with(".ssm_alpha.weight")) silence(tensor, heads);
        if (name.ends_with(".ssm_in.weight")) silence(tensor, heads);
      }
      kept = tensors;
    }));
    GateProbe probe(*model, {});
    test::Reader reader(*model);
    const auto tokens = test::some_tokens(9);
    reader.forward(tokens, {}, &probe);

    const std::size_t heads = model->info().recurrent_heads;
    REQUIRE(probe.values().size() == probe.layers().size() * 2 * heads * tokens.size());
    const float* value = probe.values().data();
    for (const std::uint32_t layer : probe.layers()) {
      const std::string name = "blk." + std::to_string(layer);
      const auto &rates = kept.at(name + ".ssm_a").values, &biases = kept.at(name + ".ssm_dt.bias").values;
      for (const bool written : {false, true})
        for (std::size_t head = 0; head < heads; ++head)
          for (std::size_t t = 0; t < tokens.size(); ++t) {
            const double step = std::log1p(std::exp(static_cast<double>(biases[head])));
            const double write = architecture == "mamba2" ? step : 0.5;
            CHECK_THAT(*value++, WithinRel(written ? write : std::exp(step * static_cast<double>(rates[head])), 1e-6));
          }
    }
  }
}

namespace {

double softplus(float x) { return std::log1p(std::exp(static_cast<double>(x))); }
double logistic(float x) { return 1 / (1 + std::exp(-static_cast<double>(x))); }

struct Gate {
  double decay, write;
};

/// The gates of a head's channel, of `channels`, in a layer whose matrices for them are silent.
Gate gate_of(const std::string& architecture, const test::Tensors& tensors, const std::string& layer, std::size_t head,
             std::size_t channel, std::size_t channels) {
  const std::size_t at = head * channels + channel;
  const auto values = [&](const char* name) { return tensors.at(layer + name).values; };
  if (architecture == "rwkv6") return {std::exp(-std::exp(static_cast<double>(values(".time_mix_decay.weight")[at]))), 1};
  if (architecture.ends_with("rwkv7"))
    return {std::exp(-0.606531 * logistic(values(".time_mix_w0.weight")[at])), logistic(values(".time_mix_a0.weight")[at])};
  const auto rates = values(".ssm_a"), biases = values(".ssm_dt.bias");
  if (architecture == "kimi-linear") return {std::exp(static_cast<double>(rates[head]) * softplus(biases[at])), 0.5};
  const double step = softplus(biases[head]);
  return {std::exp(step * static_cast<double>(rates[at])), step};
}

}  // namespace

TEST_CASE("gates of channels follow from the biases alone, and a head's are their means", "[runtime][gates]") {
  for (const std::string architecture : {"mamba", "jamba", "plamo2", "rwkv6", "rwkv7", "arwkv7", "kimi-linear"}) {
    INFO(architecture);
    test::Tensors kept;
    const auto model = test::load_bytes(test::family_model(architecture, 64, {}, [&](test::Tensors& tensors) {
      for (auto& [name, tensor] : tensors)
        for (const char* silent : {".ssm_dt.weight", ".ssm_f_b.weight", ".ssm_beta.weight", ".time_mix_decay_w2.weight",
                                   ".time_mix_w2.weight", ".time_mix_a2.weight"})
          if (name.ends_with(silent)) std::ranges::fill(tensor.values, 0.0f);
      kept = tensors;
    }));
    const auto tokens = test::some_tokens(9);
    const std::size_t count = tokens.size(), heads = model->info().recurrent_heads;
    GateProbe probe(*model, {});
    test::Reader reader(*model);
    reader.forward(tokens, {}, &probe);
    REQUIRE(!probe.layers().empty());
    REQUIRE(probe.values().size() == probe.layers().size() * 2 * heads * count);
    for (std::size_t i = 0; i < probe.layers().size(); ++i) {
      const std::string number = std::to_string(probe.layers()[i]);
      const auto place = runtime::find_place(*model, "gate." + number + ".decay");
      runtime::Recorder all(*model, {{place}, {runtime::find_place(*model, "gate." + number + ".write")}});
      all.prepare(0, count);
      reader.truncate(0);
      reader.forward(tokens, {}, &all);
      const std::size_t channels = place.width, writes = all.requests()[1].at.width;
      REQUIRE(all.values(0).size() == heads * count * channels);
      for (std::size_t head = 0; head < heads; ++head)
        for (std::size_t t = 0; t < count; ++t) {
          double decay = 0, write = 0;
          for (std::size_t channel = 0; channel < channels; ++channel) {
            const Gate gate = gate_of(architecture, kept, "blk." + number, head, channel, channels);
            CHECK_THAT(all.values(0)[(head * count + t) * channels + channel], WithinRel(gate.decay, 1e-6));
            CHECK_THAT(all.values(1)[(head * count + t) * writes + channel % writes], WithinRel(gate.write, 1e-6));
            decay += gate.decay / static_cast<double>(channels);
            write += gate.write / static_cast<double>(channels);
          }
          CHECK_THAT(probe.values(2 * i)[head * count + t], WithinRel(decay, 2e-6));
          CHECK_THAT(probe.values(2 * i + 1)[head * count + t], WithinRel(write, 2e-6));
        }
    }
  }
}

TEST_CASE("gates are the same in any batches and in any selection, and cost no bit", "[runtime][gates]") {
  for (const std::string architecture :
       {"qwen35", "mamba2", "falcon-h1", "mamba", "jamba", "plamo2", "rwkv6", "rwkv7", "arwkv7", "kimi-linear"}) {
    INFO(architecture);
    const auto model = test::load_bytes(test::family_model(architecture));
    const auto tokens = test::some_tokens(21);
    GateProbe whole(*model, {}), pieces(*model, {}), last(*model, {whole.layers().back()});
    for (GateProbe* probe : {&pieces, &last}) probe->prepare(tokens.size());
    std::vector<float> plain(model->info().vocabulary), watched(plain.size());
    test::Reader reader(*model);
    reader.forward(tokens, plain);
    reader.truncate(0);
    reader.forward(tokens, watched, &whole);
    CHECK(watched == plain);
    for (GateProbe* probe : {&pieces, &last}) {
      reader.truncate(0);
      for (std::size_t t = 0; t < tokens.size(); t += 7) reader.forward(std::span(tokens).subspan(t, 7), {}, probe);
    }
    CHECK(std::ranges::equal(whole.values(), pieces.values()));
    CHECK(std::ranges::equal(whole.values().last(last.values().size()), last.values()));
    const auto decays = whole.values().first(tokens.size());
    CHECK(std::ranges::all_of(decays, [](float decay) { return decay > 0 && decay < 1; }));
    CHECK(std::ranges::adjacent_find(decays) == decays.end());  // each token has its own
  }
}

TEST_CASE("gates that are not there are refused by name", "[runtime][gates]") {
  const auto llama = test::load_bytes(test::family_model("llama"));
  check_throws(ErrorCode::unsupported, "llama: has no recurrent layers", [&] { GateProbe(*llama, {}); });
  const auto qwen = test::load_bytes(test::family_model("qwen35"));
  const std::uint32_t first = qwen->info().recurrent_layers.front();
  check_throws(ErrorCode::invalid_argument, "layers: " + std::to_string(first) + " is listed twice",
               [&] { GateProbe(*qwen, {first, first}); });
  check_throws(ErrorCode::invalid_argument, "layers: 99 is out of range", [&] { GateProbe(*qwen, {99}); });
}
