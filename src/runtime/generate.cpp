#include "runtime/generate.hpp"

#include <algorithm>
#include <chrono>
#include <new>

#include "base/error.hpp"
#include "nn/spec.hpp"
#include "runtime/common_prefix.hpp"
#include "runtime/drafts/drafting.hpp"
#include "runtime/encoder_run.hpp"
#include "runtime/prefix_cache.hpp"
#include "runtime/speculation/forced_guesses.hpp"
#include "runtime/speculation/lookup_guesser.hpp"
#include "runtime/stop_filter.hpp"

namespace heed::runtime {
namespace {

/// Contiguous memory is reserved for the prompt and this many tokens: most generations end long before max_tokens.
constexpr std::size_t kExpectedTokens = 512;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::string_view to_string(FinishReason reason) noexcept {
  switch (reason) {
    case FinishReason::stop: return "stop";
    case FinishReason::length: return "length";
    case FinishReason::context: return "context";
    case FinishReason::abort: return "abort";
  }
  return "unknown";
}

DraftPlace Timings::drafts() const noexcept {
  DraftPlace all;
  for (const auto& [drafted, right] : draft_places) {
    all.drafted += drafted;
    all.right += right;
  }
  return all;
}

std::string_view to_string(Speculation speculation) noexcept {
  switch (speculation) {
    case Speculation::drafts: return "drafts";
    case Speculation::lookup: return "lookup";
    case Speculation::off: return "off";
    case Speculation::attention: return "attention";
    case Speculation::state: return "state";
    case Speculation::unread: return "unread";
  }
  return "unknown";
}

struct Generation::State {
  Sequence& sequence;
  GenerateOptions options;
  std::vector<TokenId> source;                       // the encoder's input; the prompt is then the decoder's start token
  std::vector<TokenId> text;                         // prompt and generated tokens; the sequence's tokens are a prefix of it
  PlacedTiles tiles;                                 // the images in the text
  bool whole_tiles = false;                          // the rows of each tile must be in one pass
  std::unique_ptr<sampling::Constraint> constraint;  // on the generated text; may be absent
  std::optional<ReasoningLimit> reasoning;           // if the options have a budget
  sampling::Sampler sampler;
  tokenizer::StreamDecoder decoder;
  StopFilter stop;
  std::optional<Recorder> recorder;  // records attention
  std::unique_ptr<Guesser> guesser;  // absent if guesses cannot be used
  std::optional<Drafting> drafting;  // if the model has drafts
  std::size_t most_guesses = kMaxBatch;
  std::vector<TokenId> running;  // the tokens of the current pass, guesses last
  std::size_t guessed = 0;       // how many of these are guesses
  std::vector<TokenId> generated;
  std::deque<GeneratedToken> tokens;  // finished tokens that nobody has popped yet
  bool holds_text = false;            // whether the last of them waits for text that the stop filter or the decoder holds back
  std::optional<FinishReason> finish;
  std::optional<Error> error;
  std::optional<TokenId> end_token;
  Timings timings;

  State(Sequence& s, std::vector<TokenId> prompt, GenerateOptions o, std::unique_ptr<sampling::Constraint> c,
        PrefixCache* prefix_cache)
      : sequence(s),
        options(std::move(o)),
        text(std::move(prompt)),
        constraint(std::move(c)),
        sampler(options.sampling, s.model().info().vocabulary),
        decoder(s.model().tokenizer(), options.special),
        stop(options.stop) {
    if (options.reasoning) reasoning.emplace(*options.reasoning, s.model().tokenizer());
    if (options.attention) recorder.emplace(s.model(), decoder_attention(s.model(), *options.attention));
    if (text.empty()) throw Error(ErrorCode::invalid_argument, "must have at least one token", "prompt");
    if (text.size() > s.context_length())
      throw Error(ErrorCode::context_overflow,
                  "has " + std::to_string(text.size()) + " tokens, but the context has room for " +
                      std::to_string(s.context_length()),
                  "prompt");
    if (constraint && !options.stop_at_end)
      throw Error(ErrorCode::invalid_argument, "must be true beside a constraint, which says where the text ends", "stop_at_end");
    if (options.context_shift && *options.context_shift + 1 >= s.context_length())
      throw Error(ErrorCode::invalid_argument,
                  "cannot keep " + std::to_string(*options.context_shift) + " tokens in a context of " +
                      std::to_string(s.context_length()),
                  "context_shift");
    if (options.context_shift && options.changes.has_places())
      throw Error(ErrorCode::invalid_argument, "cannot move text past adapters and edits that depend on positions",
                  "context_shift");
    options.changes = placed(std::move(options.changes), text);
    place_tiles();
    const auto accept_tokens = [this](auto& taker) {
      for (const TokenId id : text)
        if (id >= 0) taker.accept(id);
    };
    accept_tokens(sampler);
    timings.prompt_tokens = text.size();
    if (Drafter* const drafter = s.workspace().drafter(); drafter && may_guess()) drafting.emplace(*drafter, s.workspace());
    timings.speculation = speculation();
    if (may_guess() && (drafting || s.truncates_exactly())) guesser = std::make_unique<LookupGuesser>();
    if (guesser) accept_tokens(*guesser);
    if (!s.truncates_exactly()) most_guesses = 0;  // until there is memory for states
    if (s.model().encoder()) {
      s.change(options.changes);
      source = std::exchange(text, {s.model().spec().decoder_start});
      return;
    }
    if (prefix_cache) prefix_cache->improve(s, text, options.changes);
    s.change(options.changes);
    reuse();
    timings.reused_tokens = s.tokens().size();
  }

  ~State() { sequence.release_guesses(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  bool may_guess() const noexcept { return options.speculate && !recorder; }
  Speculation speculation() const noexcept {
    if (!options.speculate) return Speculation::off;
    if (recorder) return Speculation::attention;
    if (drafting) return Speculation::drafts;
    return sequence.truncates_exactly() ? Speculation::lookup : Speculation::state;
  }
  std::size_t room_for_guesses(std::size_t most) const noexcept;
  std::vector<Guess> certain_guesses(std::size_t most) const;
  std::size_t left() const noexcept { return text.size() - sequence.tokens().size(); }
  void place_tiles();
  void reuse();
  void end(FinishReason reason) noexcept;
  void fail(Error why) noexcept;
  void show_held_text() noexcept;
  std::vector<Guess> expected_guesses(std::size_t most) const;
  std::optional<TokenId> due_token(sampling::TokenMask mask) const noexcept;
  bool sample(std::span<const float> logits);
  void drop_wrong_guesses() noexcept;
  void shift_context();
};

void Generation::State::place_tiles() {
  tiles.read(text, 0, sequence.workspace().pictures());
  if (tiles.empty()) return;
  whole_tiles = nn::reads_whole_tiles(sequence.model().spec().decoder->stack);
  if (whole_tiles) check_cuts(tiles, options.changes);
  if (options.context_shift) throw Error(ErrorCode::invalid_argument, "cannot move a text with images", "context_shift");
  if (text.back() < 0) throw Error(ErrorCode::invalid_argument, "must have a token after its last image or sound", "prompt");
}

/// Truncates the sequence to its common prefix with the text, minus the last token, whose logits are needed.
void Generation::State::reuse() {
  sequence.truncate(common_prefix(std::span(text).first(text.size() - 1), sequence.tokens()));
  try {
    sequence.reserve(text.size() + std::min(options.max_tokens, kExpectedTokens));
  } catch (const Error&) {  // memory is then allocated as tokens arrive
  }
}

void Generation::State::end(FinishReason reason) noexcept {
  finish = reason;
  show_held_text();
}

void Generation::State::fail(Error why) noexcept {
  error = std::move(why);
  show_held_text();
}

void Generation::State::show_held_text() noexcept {
  if (!std::exchange(holds_text, false)) return;
  std::string& last = tokens.back().text;
  try {
    last += stop.push(decoder.finish());
    last += stop.flush();
  } catch (const std::bad_alloc&) {  // the last character is lost
  }
}

/// The expected tokens that are still to come, up to one outside the vocabulary; none if the text differs from them so far.
std::vector<Guess> Generation::State::expected_guesses(std::size_t most) const {
  constexpr double kAlmostCertain = 0.99;
  const std::span expected = options.expected;
  if (generated.size() >= expected.size() || !std::ranges::equal(generated, expected.first(generated.size()))) return {};
  const auto vocabulary = static_cast<TokenId>(sequence.model().info().vocabulary);
  std::vector<Guess> guesses;
  for (const TokenId id : expected.subspan(generated.size())) {
    if (guesses.size() == most || id < 0 || id >= vocabulary) break;
    guesses.push_back({id, kAlmostCertain});
  }
  return guesses;
}

/// The next token to insert once the reasoning limit is reached, unless the constraint's mask excludes it.
std::optional<TokenId> Generation::State::due_token(sampling::TokenMask mask) const noexcept {
  const std::optional<TokenId> id = reasoning ? reasoning->due(decoder.holds()) : std::nullopt;
  return id && (mask.empty() || sampling::allows(mask, *id)) ? id : std::nullopt;
}

/// Appends the next token, sampled from its logits or inserted. Returns false if the generation has ended.
bool Generation::State::sample(std::span<const float> logits) {
  if (generated.size() >= options.max_tokens) return end(FinishReason::length), false;
  const tokenizer::Tokenizer& tokenizer = sequence.model().tokenizer();
  const sampling::TokenMask mask = constraint ? constraint->mask() : sampling::TokenMask();
  const std::size_t allowed = sampling::count(mask);
  const std::optional<TokenId> due = due_token(mask);
  const TokenId id = due ? *due : sampler.sample(logits, mask);
  const auto& ends = options.end_tokens;
  if (options.stop_at_end && (tokenizer.ends_generation(id) || std::find(ends.begin(), ends.end(), id) != ends.end())) {
    end_token = id;
    return end(FinishReason::stop), false;
  }
  sampler.accept(id);
  if (constraint) constraint->accept(id);
  if (reasoning) reasoning->accept(id);
  if (guesser) guesser->accept(id);
  text.push_back(id);
  generated.push_back(id);
  ++timings.generated_tokens;

  GeneratedToken& token = tokens.emplace_back();
  token.id = id;
  token.allowed = allowed;
  token.text = stop.push(decoder.push(id));
  holds_text = !stop.found() && (stop.holds() || decoder.holds());
  const auto ranked = sampling::top_logprobs(logits, options.top_logprobs, id);
  const auto chosen = std::find_if(ranked.begin(), ranked.end(), [&](const auto& entry) { return entry.id == id; });
  token.logprob = chosen->logprob;
  const std::size_t asked = std::min(options.top_logprobs, ranked.size());
  token.alternatives.assign(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(asked));
  if (recorder) {
    token.attention.assign(recorder->values().begin(), recorder->values().end());
    token.attention_keys = options.attention->of == AttentionOf::cross ? recorder->source() : recorder->first() + recorder->count();
  }
  if (stop.found() || (constraint && constraint->finished())) return end(FinishReason::stop), false;
  if (generated.size() >= options.max_tokens) return end(FinishReason::length), false;
  return true;
}

void Generation::State::drop_wrong_guesses() noexcept {
  const auto read = sequence.tokens();
  std::size_t right = std::min(read.size(), text.size());
  if (right == text.size() && read[right - 1] != text.back()) --right;
  sequence.truncate(right);
}

/// Drops the first half of the text that follows the kept beginning.
void Generation::State::shift_context() {
  const std::size_t kept = *options.context_shift, rest = text.size() - kept;
  text.erase(text.begin() + static_cast<std::ptrdiff_t>(kept), text.end() - static_cast<std::ptrdiff_t>((rest + 1) / 2));
  reuse();
}

Generation::Generation(Sequence& sequence, std::vector<TokenId> prompt, GenerateOptions options,
                       std::unique_ptr<sampling::Constraint> constraint, PrefixCache* prefix_cache)
    : state_(std::make_unique<State>(sequence, std::move(prompt), std::move(options), std::move(constraint), prefix_cache)) {}
Generation::~Generation() = default;

bool Generation::prefilling() const noexcept { return state_->left() > 1; }

std::size_t Generation::portion(std::size_t most) const noexcept {
  const State& s = *state_;
  const std::size_t left = s.left(), count = std::min(left, most);
  return s.whole_tiles ? s.tiles.whole(s.text.size() - left, count) : count;
}

bool Generation::run_encoder() {
  State& s = *state_;
  if (s.source.empty()) return true;
  EncoderRun run(s.sequence.workspace());
  if (!run(s.source)) return false;
  s.timings.prompt_seconds += s.sequence.workspace().seconds();
  s.sequence.attend_to(run.hidden());
  s.source.clear();
  return true;
}

std::size_t Generation::State::room_for_guesses(std::size_t most) const noexcept {
  if (!guesser || left() != 1 || !source.empty()) return 0;
  const std::size_t wanted = options.max_tokens - std::min(options.max_tokens, generated.size());
  return std::min({most, most_guesses, wanted > 0 ? wanted - 1 : 0, sequence.context_length() - text.size()});
}

/// Guesses from the options: expected tokens, the end of the reasoning, or text that the constraint forces.
std::vector<Guess> Generation::State::certain_guesses(std::size_t most) const {
  if (auto expected = expected_guesses(most); !expected.empty()) return expected;
  if (reasoning) {
    std::vector<Guess> due;
    for (const TokenId id : reasoning->rest())
      if (due.size() < most) due.push_back({id, 1});
    if (!due.empty()) return due;
  }
  if (!constraint) return {};
  std::string forced;
  try {
    forced = constraint->forced();
  } catch (const Error&) {  // too much work for a guess; a permanent error ends this text in mask()
  }
  return forced_guesses(sequence.model().tokenizer(), generated, forced, most);
}

bool Generation::drafts() const noexcept { return state_->drafting.has_value(); }

std::vector<Guess> Generation::guesses(std::size_t most, std::size_t others, bool open) {
  State& s = *state_;
  if (s.drafting && !s.sequence.truncates_exactly() && s.most_guesses < most && s.left() == 1 && s.source.empty())
    s.most_guesses = s.sequence.reserve_guesses(most);
  most = s.room_for_guesses(most);
  if (most == 0) return {};
  if (auto certain = s.certain_guesses(most); !certain.empty()) return certain;
  std::vector<Guess> repeated = s.guesser->guess(most);
  if (!s.drafting) return repeated;
  if (!s.drafting->done()) {
    const auto start = std::chrono::steady_clock::now();
    if (!s.drafting->draft(s.sequence, s.text, most, others, open, s.options.drafts,
                           repeated.empty() ? 0 : repeated[0].probability))
      s.timings.speculation = Speculation::unread;
    s.timings.generate_seconds += seconds_since(start);
  }
  const auto drafted = s.drafting->drafted();
  if (drafted.empty()) return repeated;
  return {drafted.begin(), drafted.begin() + static_cast<std::ptrdiff_t>(std::min(most, drafted.size()))};
}

std::size_t Generation::due_guesses() const noexcept { return state_->drafting ? state_->drafting->due() : 0; }

/// With a recorder, the last token of the prompt runs alone: only its attention is reported.
ForwardInput Generation::next_input(std::size_t most, std::span<const Guess> guesses) {
  State& s = *state_;
  const std::size_t left = s.left();
  std::size_t count = portion(most);
  if (s.recorder && count == left && count > 1) --count;
  const bool last = count == left;
  s.running.assign(s.text.end() - static_cast<std::ptrdiff_t>(left), s.text.end() - static_cast<std::ptrdiff_t>(left - count));
  s.guessed = guesses.size();
  for (const Guess& guess : guesses) s.running.push_back(guess.id);
  return {&s.sequence, s.running, last ? 1 + s.guessed : 0, last && s.recorder ? &*s.recorder : nullptr, s.guessed};
}

void Generation::finish_pass(std::span<const float> logits, double seconds) {
  State& s = *state_;
  const auto start = std::chrono::steady_clock::now();
  const std::size_t vocabulary = s.sequence.model().info().vocabulary;
  const bool read = s.generated.empty() || s.running.size() > 1 + s.guessed;
  (read ? s.timings.prompt_seconds : s.timings.generate_seconds) += seconds;
  s.timings.guessed_tokens += s.guessed;

  const std::span guesses = std::span(s.running).last(s.guessed);
  const bool drafted = s.drafting && s.drafting->proposed(guesses);
  const std::size_t before = s.generated.size();
  if (drafted)
    for (std::size_t place = 0; place < guesses.size(); ++place) ++s.timings.draft_places[place].drafted;
  try {
    for (std::size_t row = 0; !logits.empty(); logits = logits.subspan(vocabulary), ++row) {
      const bool goes_on = s.sample(logits.first(vocabulary));
      const bool appended = s.generated.size() == before + row + 1;
      if (row == guesses.size() || !appended || s.text.back() != guesses[row]) break;
      ++s.timings.accepted_tokens;
      if (drafted) {
        ++s.timings.draft_places[row].right;
        s.tokens.back().draft = static_cast<std::uint8_t>(row + 1);
      }
      if (!goes_on) break;
    }
  } catch (const Error& error) {  // from the constraint
    s.fail(error);
  } catch (const std::bad_alloc&) {
    s.fail(no_memory());
  }
  if (s.drafting) s.drafting->verify(std::span(s.generated).subspan(before));
  s.drop_wrong_guesses();
  if (!ended() && s.text.size() > s.sequence.context_length()) {
    if (s.options.context_shift) s.shift_context();
    else s.end(FinishReason::context);
  }
  if (!s.generated.empty()) s.timings.generate_seconds += seconds_since(start);
}

void Generation::abort() {
  if (!ended()) state_->end(FinishReason::abort);
}

void Generation::fail(Error why) noexcept { state_->fail(std::move(why)); }

std::optional<GeneratedToken> Generation::pop_token() {
  State& s = *state_;
  if (s.tokens.size() == (s.holds_text ? 1 : 0)) return std::nullopt;
  GeneratedToken token = std::move(s.tokens.front());
  s.tokens.pop_front();
  return token;
}

Sequence& Generation::sequence() const noexcept { return state_->sequence; }
std::optional<FinishReason> Generation::finish_reason() const noexcept { return state_->finish; }
const std::optional<Error>& Generation::error() const noexcept { return state_->error; }
std::optional<TokenId> Generation::end_token() const noexcept { return state_->end_token; }
const Timings& Generation::timings() const noexcept { return state_->timings; }
std::size_t Generation::prompt_read() const noexcept {
  const State& s = *state_;
  const std::size_t all = s.timings.prompt_tokens;
  if (!s.generated.empty()) return all;
  if (s.sequence.model().encoder()) return s.source.empty() ? all : 0;
  return std::min(s.sequence.tokens().size(), all);
}
std::span<const TokenId> Generation::generated() const noexcept { return state_->generated; }
std::span<const TokenId> Generation::text() const noexcept { return state_->text; }
const PlacedTiles& Generation::tiles() const noexcept { return state_->tiles; }

}  // namespace heed::runtime
