#include "engine/decoder_run.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "engine/interrupted.hpp"
#include "runtime/common_prefix.hpp"
#include "runtime/encoder_run.hpp"
#include "runtime/pictures/placed_tiles.hpp"
#include "runtime/states.hpp"
#include "runtime/token_checks.hpp"
#include "sampling/logprobs.hpp"

namespace heed::engine {

DecoderRun::DecoderRun(runtime::Workspace& workspace, runtime::PrefixCache& prefix_cache)
    : prefix_cache_(prefix_cache), sequence_(workspace) {}

DecoderRun::~DecoderRun() { prefix_cache_.keep(std::move(sequence_)); }

void DecoderRun::watch(std::vector<runtime::Request> requests, std::size_t tokens, std::size_t source) {
  for (const runtime::Request& request : requests)
    if (request.at.of == runtime::AttentionOf::image)
      throw Error(ErrorCode::invalid_argument, request.at.name() + " is not of a text", "points");
  recorder_.emplace(sequence_.model(), std::move(requests));
  recorder_->prepare(0, tokens, source);
}

runtime::Attribution DecoderRun::attribute(runtime::TokenId token, std::optional<runtime::TokenId> against) {
  const auto requests = recorder_ ? recorder_->requests() : std::span<const runtime::Request>();
  const std::size_t layers = sequence_.model().info().layers;
  if (requests.size() <= layers || requests[0].at.place.point != nn::Point::embed ||
      requests[layers].at.place != nn::Place{nn::Point::resid, layers - 1} || requests[0].positions.size() != 1 ||
      requests[0].positions[0] >= sequence_.tokens().size())
    throw Error(ErrorCode::invalid_argument, "no position has been watched and run", "position");
  return runtime::attribute(sequence_.workspace(), *recorder_, token, sequence_.changes(), against);
}

std::vector<LensRow> DecoderRun::lens(std::size_t first, std::size_t rows, const LensForm& form) {
  std::size_t all = 0, positions = 0;
  for (std::size_t i = 0; recorder_ && i < recorder_->requests().size(); ++i) {
    const nn::Point point = recorder_->requests()[i].at.place.point;
    if (point != nn::Point::embed && point != nn::Point::resid) break;
    positions = recorder_->shape(i)[0];
    all += positions;
  }
  if (rows == 0 || rows > runtime::kMaxBatch || first > all || rows > all - first)
    throw Error(ErrorCode::invalid_argument,
                "must be from 1 to " + std::to_string(runtime::kMaxBatch) + " of the " + std::to_string(all) + " that are watched",
                "states");
  const std::vector<std::uint32_t>& places = recorder_->requests()[0].positions;
  std::vector<nn::AdaptedRows> adapted;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t row = (first + i) % positions;
    runtime::append_rows(sequence_.changes(), places.empty() ? recorder_->first() + row : places[row], 1, i, adapted);
  }
  const std::size_t width = sequence_.model().info().width, vocabulary = sequence_.model().info().vocabulary;
  const std::span<float> logits = sequence_.workspace().logits(rows);
  runtime::read_out(sequence_.workspace(), recorder_->values().subspan(first * width, rows * width), logits, adapted);
  std::vector<LensRow> lens;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = logits.subspan(i * vocabulary, vocabulary);
    lens.push_back({sampling::top_logprobs(row, form.top), sampling::logprobs_of(row, form.watched)});
  }
  return lens;
}

bool DecoderRun::encode(std::span<const runtime::TokenId> tokens) {
  runtime::EncoderRun run(sequence_.workspace());
  runtime::Recorder* const recorder = recorder_ && recorder_->hears(runtime::AttentionOf::encoder) ? &*recorder_ : nullptr;
  if (interrupted(sequence_.workspace(), !run(tokens, recorder))) return false;
  sequence_.attend_to(run.hidden());
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
  const std::size_t vocabulary = sequence_.model().info().vocabulary;
  const bool hears_all = recorder_ && recorder_->hears_end();
  logits_.resize((hears_all && rows <= tokens.size() ? tokens.size() : rows) * vocabulary);
  if (interrupted(sequence_.workspace(), !sequence_.forward(tokens, logits_, recorder_ ? &*recorder_ : nullptr)))
    return std::nullopt;
  return std::span<const float>(logits_).last(rows * vocabulary);
}

std::optional<std::vector<float>> DecoderRun::score(std::span<const runtime::TokenId> tokens) {
  if (tokens.size() < 2) throw Error(ErrorCode::invalid_argument, "must be at least two: the first is given", "tokens");
  const std::size_t count = tokens.size() - 1, vocabulary = sequence_.model().info().vocabulary;
  runtime::check_tokens(tokens.last(1), 0, vocabulary, 1, true);
  runtime::PlacedTiles(sequence_.tiles())
      .read(tokens, sequence_.tokens().size(), sequence_.workspace().pictures());  // checks the last token, too
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
