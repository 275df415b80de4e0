// Values recorded at the points of a pass: the same in any batches, beside other texts, after a truncation and in a copy; and
// consistent with each other.
#include "runtime/recorder.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "nn/blocks.hpp"
#include "nn/decoder.hpp"
#include "runtime/requests.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/reader.hpp"
#include "support/tokens.hpp"
#include "unit/models/family_values.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::check_throws;

namespace {

std::vector<Request> everything(const Model& model) {
  std::vector<Request> requests;
  for (const nn::NamedPlace& place : places_of(model))
    if (place.of == AttentionOf::decoder || place.of == AttentionOf::cross) requests.push_back({place});
  return requests;
}

/// NaN is equal to itself.
bool same_bits(std::span<const float> a, std::span<const float> b) {
  return std::ranges::equal(std::as_bytes(a), std::as_bytes(b));
}

void read_in(Sequence& sequence, std::span<const TokenId> tokens, std::size_t batch, Recorder& recorder) {
  const std::size_t vocabulary = sequence.model().info().vocabulary;
  for (std::size_t begin = 0; begin < tokens.size(); begin += batch) {
    const auto part = tokens.subspan(begin, std::min(batch, tokens.size() - begin));
    std::vector<float> logits(part.size() * vocabulary);
    sequence.forward(part, logits, &recorder);
  }
}

}  // namespace

TEST_CASE("all points of any family are the same in any batches, beside others, after a cut and in a copy, and cost no bit",
          "[runtime][trace]") {
  const auto tokens = test::some_tokens(19), other = test::some_tokens(9, 50);
  for (const std::string architecture : test::kArchitectures) {
    LoadOptions options;
    options.threads = 2;
    options.parallel = 2;
    const auto model = test::load_bytes(test::family_model(architecture), options);
    if (!model->decoder() || model->encoder()) continue;
    INFO(architecture);
    const std::size_t vocabulary = model->info().vocabulary;
    Workspace workspace(*model);
    Recorder whole(*model, everything(*model));
    whole.prepare(0, tokens.size());
    std::vector<float> logits(tokens.size() * vocabulary);
    Sequence(workspace).forward(tokens, logits, &whole);
    const bool free = logits == test::model_logits(*model, tokens);
    CHECK(free);
    const auto requests = whole.requests();
    CHECK(same_bits(whole.values(requests.size() - 1), logits));
    CHECK(std::ranges::none_of(requests, [&](const Request& request) {
      const auto values = whole.values(static_cast<std::size_t>(&request - requests.data()));
      return request.at.place.point != Point::bias && std::ranges::all_of(values, [](float x) { return x == 0; });
    }));

    for (const std::size_t batch : {7u, 1u}) {
      Recorder pieces(*model, everything(*model));
      pieces.prepare(0, tokens.size());
      Sequence sequence(workspace);
      read_in(sequence, tokens, batch, pieces);
      for (std::size_t i = 0; i < requests.size(); ++i) {
        INFO(requests[i].at.name() << " in batches of " << batch);
        CHECK(same_bits(pieces.values(i), whole.values(i)));
      }
    }

    Recorder beside(*model, everything(*model)), after(*model, everything(*model));
    for (Recorder* recorder : {&beside, &after}) recorder->prepare(0, tokens.size());
    Sequence first(workspace), second(workspace);
    std::vector<float> both((tokens.size() + other.size()) * vocabulary);
    const ForwardInput inputs[] = {{&second, other, other.size()}, {&first, tokens, tokens.size(), &beside}};
    forward(workspace, inputs, both);
    CHECK(same_bits(beside.values(), whole.values()));
    second = first;
    second.truncate(12);
    read_in(second, std::span(tokens).subspan(second.tokens().size()), 128, after);
    const std::size_t width = model->info().width;
    const bool same_end = same_bits(after.values(0).last(7 * width), whole.values(0).last(7 * width)) &&
                          same_bits(after.values(requests.size() - 2).last(7 * width),
                                    whole.values(requests.size() - 2).last(7 * width));
    CHECK(same_end);
  }
}

TEST_CASE("a state plus the blocks' additions is the next state, and weights are the softmax of scores", "[runtime][trace]") {
  const auto tokens = test::some_tokens(11);
  std::size_t additive = 0;
  for (const std::string architecture : test::kArchitectures) {
    const auto model = test::load_bytes(test::family_model(architecture));
    if (!model->decoder() || model->encoder()) continue;
    INFO(architecture);
    test::Reader reader(*model);
    Recorder recorder(*model, everything(*model));
    recorder.prepare(0, tokens.size());
    reader.forward(tokens, {}, &recorder);
    std::map<std::string, std::span<const float>> at;
    for (std::size_t i = 0; i < recorder.requests().size(); ++i) at[recorder.requests()[i].at.name()] = recorder.values(i);
    const nn::StackSpec& stack = model->decoder()->spec().stack;
    std::vector<float> x(at["embed"].begin(), at["embed"].end());
    for (std::size_t layer = 0; layer < stack.layers.size(); ++layer) {
      const std::string l = std::to_string(layer);
      const nn::LayerSpec& spec = stack.layers[layer];
      const bool adds = !stack.alt_up && spec.output_scale.empty() && spec.input_share.empty() && spec.turn_norm.empty() &&
                        !spec.begins_turn && spec.ends_turn == nn::Turn::none &&
                        std::ranges::all_of(std::span(spec.sublayers.begin(), spec.sublayers.end()), [](const auto& sublayer) {
                          return sublayer.residual_norm.empty() && sublayer.again_norm.empty() && sublayer.scale == 1.0f;
                        });
      if (adds) {
        for (const nn::SublayerSpec& sublayer : spec.sublayers) {
          const auto out = at[nn::NamedPlace{{nn::block_traits(sublayer.block, stack.width).out, layer}}.name()];
          REQUIRE(out.size() == x.size());
          for (std::size_t i = 0; i < x.size(); ++i) x[i] += out[i];
        }
        CHECK(same_bits(x, at["resid." + l]));
        ++additive;
      }
      x.assign(at["resid." + l].begin(), at["resid." + l].end());
      if (!at.contains("attn." + l + ".weights")) continue;
      const auto scores = at["attn." + l + ".scores"], weights = at["attn." + l + ".weights"], sight = at["attn." + l + ".sight"];
      double furthest = 0;
      for (std::size_t row = 0; row < weights.size() / 11; ++row) {
        double sum = std::exp(static_cast<double>(sight[row * 6 + 4]));
        for (std::size_t key = 0; key < 11; ++key) sum += std::exp(static_cast<double>(scores[row * 11 + key]));
        for (std::size_t key = 0; key < 11; ++key)
          furthest = std::max(furthest, std::abs(std::exp(static_cast<double>(scores[row * 11 + key])) / sum -
                                                 static_cast<double>(weights[row * 11 + key])));
      }
      CHECK(furthest < 2e-5);
    }
  }
  CHECK(additive > 40);
}

TEST_CASE("an edit at a point is recorded there, and affects later points", "[runtime][trace][edits]") {
  const auto tokens = test::some_tokens(8);
  for (const std::string architecture : {"llama", "gpt2", "qwen35", "qwen3moe", "mamba2", "deepseek2", "gemma3n", "lfm2", "mamba",
                                         "jamba", "plamo2", "rwkv6", "rwkv7", "arwkv7", "kimi-linear", "hrm_text"}) {
    INFO(architecture);
    const auto model = test::load_bytes(test::family_model(architecture));
    const std::vector<float> plain = test::model_logits(*model, tokens);
    for (const Request& request : everything(*model)) {
      const auto& [place, of, parts, width] = request.at;
      if (!nn::rule_of(place.point).writable) continue;
      INFO(request.at.name());
      const std::uint32_t part = static_cast<std::uint32_t>(parts) - 1;
      Edit edit{.kind = Edit::Kind::replace,
                .point = place.point,
                .layer = static_cast<std::int32_t>(place.layer),
                .head = part,
                .positions = {{3, 5}},
                .vector = std::vector<float>(width)};
      for (std::size_t i = 0; i < width; ++i) edit.vector[i] = 0.5f + 0.25f * static_cast<float>(i % 3);
      if (place.point == Point::embed) {
        edit.point = Point::resid;
        edit.layer = -1;
      }
      Recorder recorder(*model, {{request.at, {part}}});
      recorder.prepare(0, tokens.size());
      test::Reader reader(*model);
      reader.sequence().change({.edits = std::make_shared<const Edits>(*model, std::vector<Edit>{edit})});
      std::vector<float> logits(plain.size());
      reader.forward(tokens, logits, &recorder);
      const auto is_edited = [&](std::size_t t) {
        for (std::size_t i = 0; i < width; ++i)
          if (recorder.values()[t * width + i] != edit.vector[i]) return false;
        return true;
      };
      CHECK(is_edited(3));
      CHECK_FALSE(is_edited(4));
      CHECK(is_edited(5));
      const std::size_t vocabulary = model->info().vocabulary;
      const bool before = std::equal(logits.begin(), logits.begin() + static_cast<std::ptrdiff_t>(3 * vocabulary), plain.begin());
      CHECK(before);
      CHECK(logits != plain);
    }
  }
}

TEST_CASE("points have names, and the error for a missing one lists the existing ones", "[runtime][trace]") {
  const auto llama = test::load_bytes(test::family_model("llama")), qwen = test::load_bytes(test::family_model("qwen35")),
             t5 = test::load_bytes(test::family_model("t5")), clip = test::load_bytes(test::family_model("clip"));
  for (const Model* model : {llama.get(), qwen.get(), t5.get(), clip.get()})
    for (const nn::NamedPlace& place : places_of(*model)) CHECK(find_place(*model, place.name()).place == place.place);
  CHECK(find_place(*llama, "resid.1").place == nn::Place{Point::resid, 1});
  CHECK(find_place(*t5, "encoder.resid.0").of == AttentionOf::encoder);
  CHECK(find_place(*t5, "cross.attn.0.weights").place.cross);
  CHECK(find_place(*clip, "image.attn.0.weights").of == AttentionOf::image);
  const auto refuse = [](const Model& model, const char* name, const char* part) {
    check_throws(ErrorCode::invalid_argument, part, [&] { find_place(model, name); });
  };
  refuse(*llama, "resid.99", "points: resid.99 is not there: the layers with it are 0, 1");
  refuse(*llama, "resid.-1", "points: resid.-1 is no point");
  refuse(*llama, "gate.0.decay",
         "points: gate.0.decay is no point of this model, which has embed, attn.L.scale, attn.L.normalized");
  refuse(*llama, "", "points:  is no point");
  refuse(*llama, "resid.1.", "points: resid.1. is no point");
}

TEST_CASE("an encoder's and an image's points are recorded", "[runtime][trace]") {
  const auto t5 = test::load_bytes(test::family_model("t5"));
  test::Reader reader(*t5);
  const auto source = test::some_tokens(12), target = test::some_tokens(5, 60);
  std::vector<Request> requests;
  for (const nn::NamedPlace& place : places_of(*t5)) requests.push_back({place});
  Recorder recorder(*t5, requests);
  recorder.prepare(0, target.size(), source.size());
  reader.encode(source, &recorder);
  std::vector<float> logits(target.size() * t5->info().vocabulary);
  reader.forward(target, logits, &recorder);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::string name = requests[i].at.name();
    const auto values = recorder.values(i);
    INFO(name);
    if (!name.ends_with(".bias")) CHECK(std::ranges::any_of(values, [](float x) { return x != 0; }));
    if (!name.ends_with(".weights")) continue;
    const auto shape = recorder.shape(i);
    CHECK(shape[1] == (name.starts_with("encoder.") ? 12 : 5));
    CHECK(shape[2] == (name.starts_with("attn.") ? 5 : 12));
    for (std::size_t row = 0; row < shape[0] * shape[1]; ++row) {
      double sum = 0;
      for (const float weight : values.subspan(row * shape[2], shape[2])) sum += weight;
      CHECK(std::abs(sum - 1) < 1e-5);
    }
  }
}
