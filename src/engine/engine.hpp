// The engine as one class: a model, the texts that it generates together, their sessions, and all that can be read from a text or a
// picture. It knows of no platform: the WebAssembly module (bindings/embind), the command-line program and the tests use it alike.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/decoder_run.hpp"
#include "engine/events.hpp"
#include "runtime/load.hpp"
#include "runtime/pooling.hpp"
#include "runtime/prefix_cache.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/session.hpp"
#include "runtime/vision_run.hpp"

namespace heed::engine {

/// In bytes.
struct MemoryUse {
  std::uint64_t bytes;       // weights, scratch, and the keys and values of all texts
  std::uint64_t most_bytes;  // that these may come to
};

/// One thread may use it at a time; only interrupt_flag() may be raised by others. A call that throws has changed nothing. No call
/// takes longer than one pass of the model.
///
///     Engine engine("model.gguf", {.threads = 4});
///     engine.begin({engine.model().tokenizer().encode("Once upon a time")});
///     while (engine.generates())
///       for (const Event& event : engine.step())
///         if (event.token) std::cout << event.token->text;
class Engine {
 public:
  /// Throws out_of_memory if there is not enough for scratch.
  explicit Engine(std::unique_ptr<runtime::Model> model);
  /// Loads a file (runtime/load.hpp). Throws io, invalid_file, unsupported, out_of_memory and, for an option, invalid_argument.
  Engine(const std::string& path, runtime::LoadOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const runtime::Model& model() const noexcept { return *model_; }
  MemoryUse memory() noexcept;

  /// Any thread may raise it: the pass that is running, or the next one, then ends without effect, and lowers it.
  std::atomic<bool>& interrupt_flag() noexcept { return workspace_.interrupt_flag(); }

  // Generating text (engine.cpp).

  /// Begins a generation, which takes part in the next steps. What a session, or a text that was read or generated before, has in
  /// common with the prompt is not read again. The session belongs to the generation until that has ended, and then holds its
  /// text. What the constraint throws fails the generation. Throws invalid_argument for an option out of range, an empty text, a
  /// token outside the vocabulary, and a session that does not exist or belongs to another generation; context_overflow, with both
  /// numbers, for a text longer than the context; unsupported if the model does not generate.
  GenerationId begin(Request request, std::unique_ptr<sampling::Constraint> constraint = nullptr);

  /// Whether any generation has not yet reported its last event.
  bool generates() const noexcept { return !texts_.empty(); }

  /// One pass for all generations. Returns what is new of them, each one's events in order. An interrupted pass returns no tokens.
  /// Throws std::bad_alloc.
  std::vector<Event> step();

  /// Ends a generation, which keeps what it has; the next step reports it as ended. Nothing happens if it has ended already.
  void abort(GenerationId id);

  // Sessions: texts that generations continue (sessions.cpp). Throw invalid_argument for one that does not exist or, except for
  // session_tokens and free_session, belongs to a generation; save_session, fork_session and restore_session also out_of_memory.

  /// An empty session. Throws unsupported if the model has no decoder, or an encoder beside it.
  SessionId create_session();
  /// A copy, which shares all memory until one of the two continues.
  SessionId fork_session(SessionId id);
  /// Drops the tokens from position `length` on.
  void truncate_session(SessionId id, std::size_t length);
  /// Its tokens; during a generation, those from before. Good until the session changes.
  std::span<const TokenId> session_tokens(SessionId id);
  /// As bytes, which restore_session continues from to the same bits, on any machine.
  std::vector<std::byte> save_session(SessionId id);
  /// Throws invalid_argument, naming what is wrong, for bytes that are damaged or that this load cannot continue from.
  SessionId restore_session(std::span<const std::byte> saved);
  /// What continues it is aborted. What was read stays in the cache for prompts that begin alike. Nothing happens if there is none.
  void free_session(SessionId id);

  // Reading (encodings.cpp). Results are absent where the pass was interrupted. Each throws unsupported for a model that lacks what
  // it needs, and invalid_argument or context_overflow for inputs and options out of range.

  /// A text of the decoder's that is read for its logits, attention or gates. The engine must outlive it.
  DecoderRun read() { return DecoderRun(workspace_, kept_); }

  /// Embeds as many texts, from the first, as one pass takes: a vector each, or one a token for Pooling::none.
  std::optional<std::vector<std::vector<float>>> embed(std::span<const std::vector<TokenId>> texts,
                                                       const runtime::EmbeddingForm& form);
  /// Scores as many pairs (tokenizer/pair.hpp), from the first, as one pass takes: the reranker's first score of each.
  std::optional<std::vector<float>> scores(std::span<const std::vector<TokenId>> pairs);
  /// The attention of an encoder's tokens to each other.
  std::unique_ptr<runtime::AttentionProbe> encoder_attention(std::span<const TokenId> tokens,
                                                             runtime::AttentionSelection selection);

  std::optional<std::vector<float>> embed_image(const runtime::Image& image, runtime::Pooling pooling, bool normalised);
  /// A probability for each of model().labels().
  std::optional<std::vector<float>> classify(const runtime::Image& image);
  std::unique_ptr<runtime::AttentionProbe> image_attention(const runtime::Image& image, runtime::AttentionSelection selection);

 private:
  struct Text {
    std::optional<SessionId> session;
    std::unique_ptr<runtime::Sequence> own;  // without a session
    std::unique_ptr<runtime::Generation> generation;
  };
  using Texts = std::map<GenerationId, Text>;
  struct HeldSession {
    runtime::Session session;
    std::optional<GenerationId> generation = {};  // that it belongs to
    bool freed = false;                           // once that has ended
  };
  using Sessions = std::map<SessionId, HeldSession>;

  void finish(Texts::iterator text);
  Sessions::iterator find_session(SessionId id);
  runtime::Session& idle_session(SessionId id);
  SessionId hold(runtime::Session session);
  void drop(Sessions::iterator held);

  std::unique_ptr<runtime::Model> model_;
  runtime::Workspace workspace_;
  runtime::PrefixCache kept_;
  runtime::Scheduler scheduler_;
  Sessions sessions_;
  Texts texts_;
  int last_session_ = 0, last_generation_ = 0;
};

}  // namespace heed::engine
