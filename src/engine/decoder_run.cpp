#include "engine/decoder_run.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "engine/interrupted.hpp"
#include "runtime/common_prefix.hpp"
#include "runtime/encoder_run.hpp"
#include "runtime/pictures/placed_tiles.hpp"
#include "runtime/token_checks.hpp"
#include "sampling/logprobs.hpp"

namespace heed::engine {

DecoderRun::DecoderRun(runtime::Workspace& workspace, runtime::PrefixCache& prefix_cache)
    : prefix_cache_(prefix_cache), sequence_(workspace) {}

DecoderRun::~DecoderRun() { prefix_cache_.keep(std::move(sequence_)); }

void DecoderRun::watch(runtime::AttentionSelection selection, std::size_t tokens, std::size_t keys) {
  auto probe = std::make_unique<runtime::AttentionProbe>(sequence_.model(), std::move(selection.layers), std::move(selection.heads),
                                                         selection.of);
  probe->require_decoder();
  probe->prepare(0, tokens, keys);
  probe_ = std::move(probe);
}

void DecoderRun::watch_attention_parts(std::uint32_t layer, std::uint32_t head, std::size_t query,
                                       std::optional<runtime::AttentionOf> of, std::size_t tokens, std::size_t keys) {
  auto probe = std::make_unique<runtime::AttentionPartsProbe>(sequence_.model(), layer, head, query, of);
  probe->require_decoder();
  probe->prepare(0, tokens, keys);
  probe_ = std::move(probe);
}

runtime::AttentionParts DecoderRun::attention_parts() const {
  const auto* probe = std::get_if<std::unique_ptr<runtime::AttentionPartsProbe>>(&probe_);
  if (!probe) throw Error(ErrorCode::invalid_argument, "no query is watched", "query");
  return (*probe)->parts();
}

void DecoderRun::watch_values(runtime::AttentionSelection selection, std::size_t tokens) {
  auto probe = std::make_unique<runtime::ValueProbe>(sequence_.model(), std::move(selection.layers), std::move(selection.heads),
                                                     selection.of);
  probe->require_decoder();
  probe->prepare(0, tokens);
  probe_ = std::move(probe);
}

std::vector<float> DecoderRun::value_norms() const {
  const auto* probe = std::get_if<std::unique_ptr<runtime::ValueProbe>>(&probe_);
  if (!probe) throw Error(ErrorCode::invalid_argument, "no values are watched", "layers");
  return (*probe)->norms(sequence_.model().kernels());
}

void DecoderRun::watch_gates(std::vector<std::uint32_t> layers, std::size_t tokens) {
  auto probe = std::make_unique<runtime::GateProbe>(sequence_.model(), std::move(layers));
  probe->prepare(tokens);
  probe_ = std::move(probe);
}

void DecoderRun::watch_states(runtime::StateSelection selection, std::size_t tokens) {
  auto probe = std::make_unique<runtime::StateProbe>(sequence_.model(), std::move(selection));
  probe->prepare(tokens);
  probe_ = std::move(probe);
}

void DecoderRun::watch_heads(std::size_t layer, std::size_t tokens) {
  auto probe = std::make_unique<runtime::HeadProbe>(sequence_.model(), layer);
  probe->prepare(tokens);
  probe_ = std::move(probe);
}

std::span<const float> DecoderRun::watched() const noexcept {
  return std::visit(
      [](const auto& probe) -> std::span<const float> {
        if constexpr (requires { probe->weights(); }) return probe->weights();
        else if constexpr (requires { probe->values(); }) return probe->values();
        else return {};  // nothing is watched, or something that is not numbers
      },
      probe_);
}

void DecoderRun::watch_attribution(std::size_t position) {
  probe_ = std::make_unique<runtime::AttributionProbe>(sequence_.model(), position);
}

runtime::Attribution DecoderRun::attribute(runtime::TokenId token) {
  const auto* probe = std::get_if<std::unique_ptr<runtime::AttributionProbe>>(&probe_);
  if (!probe || (*probe)->position() >= sequence_.tokens().size())
    throw Error(ErrorCode::invalid_argument, "no position has been watched and run", "position");
  return (*probe)->attribute(sequence_.workspace(), token, sequence_.changes());
}

std::vector<LensRow> DecoderRun::lens(std::size_t first, std::size_t rows, const LensForm& form) {
  const auto* probe = std::get_if<std::unique_ptr<runtime::StateProbe>>(&probe_);
  const std::size_t positions = probe ? (*probe)->positions().size() : 0, all = probe ? (*probe)->layers().size() * positions : 0;
  if (rows == 0 || rows > runtime::kMaxBatch || first > all || rows > all - first)
    throw Error(ErrorCode::invalid_argument,
                "must be from 1 to " + std::to_string(runtime::kMaxBatch) + " of the " + std::to_string(all) + " that are watched",
                "states");
  std::vector<nn::AdaptedRows> adapted;
  for (std::size_t i = 0; i < rows; ++i)
    runtime::append_rows(sequence_.changes(), (*probe)->positions()[(first + i) % positions], 1, i, adapted);
  const std::size_t width = (*probe)->width(), vocabulary = sequence_.model().info().vocabulary;
  const std::span<float> logits = sequence_.workspace().logits(rows);
  runtime::read_out(sequence_.workspace(), (*probe)->values().subspan(first * width, rows * width), logits, adapted);
  std::vector<LensRow> lens;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = logits.subspan(i * vocabulary, vocabulary);
    lens.push_back({sampling::top_logprobs(row, form.top), sampling::logprobs_of(row, form.watched)});
  }
  return lens;
}

std::vector<float> DecoderRun::mean_of_head(std::size_t head) const {
  const auto* probe = std::get_if<std::unique_ptr<runtime::HeadProbe>>(&probe_);
  const runtime::HeadShape shape = probe ? (*probe)->shape() : runtime::HeadShape();
  if (head >= shape.count)
    throw Error(ErrorCode::invalid_argument,
                std::to_string(head) + " is out of range: the layer has " + std::to_string(shape.count) + " heads", "head");
  const std::span<const float> outputs = (*probe)->values();
  const std::size_t stride = shape.count * shape.dim, tokens = outputs.size() / stride;
  std::vector<float> mean(shape.dim);
  for (std::size_t i = 0; i < shape.dim; ++i) {
    double sum = 0;
    for (std::size_t t = 0; t < tokens; ++t) sum += static_cast<double>(outputs[t * stride + head * shape.dim + i]);
    mean[i] = static_cast<float>(sum / static_cast<double>(tokens));
  }
  return mean;
}

bool DecoderRun::encode(std::span<const runtime::TokenId> tokens) {
  runtime::EncoderRun run(sequence_.workspace());
  if (interrupted(sequence_.workspace(), !run(tokens))) return false;
  sequence_.attend_to(run);
  return true;
}

void DecoderRun::change(runtime::Changes changes, std::span<const runtime::TokenId> text) {
  sequence_.change(runtime::placed(std::move(changes), text));
}

std::size_t DecoderRun::reuse(std::span<const runtime::TokenId> tokens, std::size_t most) {
  const auto wanted = tokens.first(std::min(most, tokens.size()));
  if (wanted.empty()) return 0;
  const runtime::Changes changes = sequence_.changes();
  prefix_cache_.improve(sequence_, wanted, changes);
  sequence_.change(changes);
  sequence_.truncate(runtime::common_prefix(wanted, sequence_.tokens()));
  return sequence_.tokens().size();
}

std::optional<std::span<const float>> DecoderRun::forward(std::span<const runtime::TokenId> tokens, std::size_t rows) {
  rows = std::min(rows, tokens.size() + 1);  // more than one per token throws below
  logits_.resize(rows * sequence_.model().info().vocabulary);
  runtime::Probe* const probe = std::visit(
      [](const auto& held) -> runtime::Probe* {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) return nullptr;
        else return held.get();
      },
      probe_);
  if (interrupted(sequence_.workspace(), !sequence_.forward(tokens, logits_, probe))) return std::nullopt;
  return logits_;
}

std::optional<std::vector<float>> DecoderRun::score(std::span<const runtime::TokenId> tokens) {
  if (tokens.size() < 2) throw Error(ErrorCode::invalid_argument, "must be at least two: the first is given", "tokens");
  const std::size_t count = tokens.size() - 1, vocabulary = sequence_.model().info().vocabulary;
  runtime::check_tokens(tokens.last(1), 0, vocabulary, 1, true);
  runtime::PlacedTiles(sequence_.tiles())
      .read(tokens, sequence_.tokens().size(), sequence_.workspace().pictures());  // the last, too
  const auto next = tokens.subspan(1);
  const auto is_text = [](runtime::TokenId id) { return id >= 0; };
  const auto skipped = static_cast<std::size_t>(std::ranges::find_if(next, is_text) - next.begin());
  const auto logits = forward(tokens.first(count), count - skipped);
  if (!logits) return std::nullopt;
  std::vector<float> logprobs;
  logprobs.reserve(count - skipped);
  for (std::size_t i = skipped; i < count; ++i)
    if (is_text(next[i]))
      logprobs.push_back(sampling::logprobs_of(logits->subspan((i - skipped) * vocabulary, vocabulary), next.subspan(i, 1))[0]);
  return logprobs;
}

}  // namespace heed::engine
