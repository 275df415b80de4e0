// The engine as one class: a model, concurrent generations, sessions, and what can be computed from a text or an image. It does not
// depend on a platform: the WebAssembly module (bindings/embind), the command-line program and the tests use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/decoder_run.hpp"
#include "engine/events.hpp"
#include "engine/transcription.hpp"
#include "runtime/changes/control_vector.hpp"
#include "runtime/load.hpp"
#include "runtime/pooling.hpp"
#include "runtime/prefix_cache.hpp"
#include "runtime/products.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/session.hpp"
#include "runtime/unmasking.hpp"
#include "runtime/vision_run.hpp"

namespace heed::engine {

/// The memory for the keys and values of a text that fills a context of `length` tokens, with each type of cache.
struct ContextCost {
  std::size_t length;
  std::vector<std::pair<KvType, std::uint64_t>> bytes;
};

struct MemoryUse {
  std::uint64_t bytes;                // of weights, scratch, adapters, projector, draft file, and all sequences' keys and values
  std::uint64_t most_bytes;           // the limit of `bytes`
  std::vector<ContextCost> contexts;  // for context_length, then twice as long, and so on up to trained_context_length
};

/// Only one thread may use it at a time, except that any thread may set interrupt(). A call that throws changes nothing. No call
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
  MemoryUse memory();

  /// Any thread may set this flag: the current or the next pass then ends without effect, and resets it.
  Interrupt& interrupt() noexcept { return workspace_.interrupt(); }

  // Drafts by a model in another file (runtime/drafts/draft_file.hpp). Drafts by the model's own heads need only
  // LoadOptions::draft_heads.

  /// A loader of a draft file, which runs on the model's threads. The file may take at most the memory that is left for texts.
  std::unique_ptr<runtime::Loader> draft_loader() const;
  /// Drafts with a loaded file, whose memory reduces the bytes for texts. Must be called before there are texts. Throws
  /// invalid_file for a file that does not fit the model, unsupported, and out_of_memory.
  void use_drafts(std::unique_ptr<runtime::Model> file);

  // For engine::Projector.

  /// The images in the engine's texts.
  runtime::Pictures& pictures() noexcept { return workspace_.pictures(); }
  /// The bytes that texts may use.
  std::uint64_t bytes_left() const noexcept { return model_->info().sequence_bytes - beside_bytes_; }
  /// Reduces the bytes for texts by `bytes`, and drops cached prefixes as needed. Throws out_of_memory, naming `what` the bytes are
  /// for, if the texts in use leave too few.
  void take_bytes(std::uint64_t bytes, const char* what);

  // Generating text (engine.cpp).

  /// Begins a generation, which runs in the next steps. A prefix of the prompt that the session or the prefix cache has is not run
  /// again. The session belongs to the generation until the generation ends; then, the session has its text. If the constraint
  /// throws an error, the generation fails. Throws invalid_argument for an option out of range, an empty text, a token outside the
  /// vocabulary, and a session that does not exist or belongs to another generation; context_overflow, with both lengths, for a
  /// text longer than the context; unsupported if the model does not generate.
  GenerationId begin(Request request, std::unique_ptr<sampling::Constraint> constraint = nullptr);

  /// Whether any generation has not yet reported its last event.
  bool generates() const noexcept { return !texts_.empty(); }

  /// Runs one pass of all generations. Returns their new events, in order for each. An interrupted pass returns no tokens. Throws
  /// std::bad_alloc.
  std::vector<Event> step();

  /// How many of its prompt's tokens a generation has read, reused ones among them; 0 once it has ended.
  std::size_t prompt_read(GenerationId id) const noexcept;

  /// Ends a generation after the tokens that it has; the next step reports the end. No effect if it has ended already.
  void abort(GenerationId id);

  // Sessions: texts that generations continue (sessions.cpp). These throw invalid_argument for a session that does not exist or,
  // except for session_tokens and free_session, belongs to a generation; save_session, fork_session and restore_session also
  // out_of_memory.

  /// An empty session. Throws unsupported for a model without a decoder, or with an encoder.
  SessionId create_session();
  /// A copy of a session; the two share memory until one of them continues.
  SessionId fork_session(SessionId id);
  /// Drops the tokens from position `length` on.
  void truncate_session(SessionId id, std::size_t length);
  /// The session's tokens; while it generates, only those from before the generation. Valid until the session changes.
  std::span<const TokenId> session_tokens(SessionId id);
  /// Bytes from which restore_session() continues with the same bits, on any machine.
  std::vector<std::byte> save_session(SessionId id);
  /// Creates a session from the bytes of save_session(). Throws invalid_argument, with the reason, for bytes that are damaged, or
  /// that do not fit the model or the options with which it is loaded.
  SessionId restore_session(std::span<const std::byte> saved);
  /// Frees the session, and leaves its sequence to the prefix cache. Aborts a generation that is continuing the session. No effect
  /// if the session does not exist.
  void free_session(SessionId id);

  // Changes of the model, for the texts that ask for them: GenerateOptions::changes, DecoderRun::change (changes.cpp).

  /// Reads an adapter from all bytes of a LoRA file (runtime/changes/adapters.hpp).
  std::shared_ptr<const runtime::Adapter> read_adapter(std::span<const std::byte> file) const;
  /// Reads an adapter and keeps it, for changes(). Its memory reduces the bytes for texts. Throws as read_adapter() does, and
  /// out_of_memory if texts leave too few.
  AdapterId add_adapter(std::span<const std::byte> file);
  /// Drops an adapter and all cached prefixes; the adapter's memory is for texts again. Throws invalid_argument for a number that
  /// no adapter has, and for an adapter that a generation, a run or a session uses.
  void remove_adapter(AdapterId id);
  /// Changes that consist of adapters (from add_adapter()), each with its scale, and edits. Throws invalid_argument for a number
  /// that no adapter has, and as make_edits() does.
  runtime::Changes changes(std::span<const std::pair<AdapterId, float>> adapters, std::vector<runtime::Edit> edits) const;
  /// The edits of a control vector (runtime/changes/control_vector.hpp).
  std::vector<runtime::Edit> read_control_vector(std::span<const std::byte> file, float scale,
                                                 std::optional<std::pair<std::size_t, std::size_t>> layers = {}) const;
  /// Checks edits (runtime/changes/edits.hpp) against the model.
  std::shared_ptr<const runtime::Edits> make_edits(std::vector<runtime::Edit> edits) const;

  // Running on given inputs. Results are absent if the pass was interrupted. Each throws unsupported if the model lacks
  // what it requires, and invalid_argument or context_overflow for inputs and options out of range.

  /// A run of the decoder on a given text. The engine must outlive it.
  DecoderRun read() { return DecoderRun(workspace_, prefix_cache_); }

  /// Applies the final norm to states of the residual stream (states.cpp): 1 to runtime::kMaxBatch rows of D values, in the layout
  /// of DecoderRun::watched.
  std::vector<float> final_norm(std::span<const float> states);
  /// The product of the head's matrix and a vector of D values, in double precision, without norm, bias, scale or cap.
  std::vector<double> unembed(std::span<const float> vector) const;
  /// Multiplies rows by a matrix that the caller passes (runtime/products.hpp).
  std::vector<float> multiply(std::span<const float> x, std::size_t rows, const runtime::CallersMatrix& matrix) {
    return runtime::multiply(workspace_, x, rows, matrix);
  }

  /// The shape of a tensor of the file, outermost first, and rows [first, first + rows) of it as floats (runtime/tensors.hpp).
  std::vector<std::size_t> tensor_shape(const std::string& name) const;
  std::vector<float> tensor(const std::string& name, std::size_t first, std::size_t rows) const;

  /// Transcribes a sound (engine/transcription.hpp). The engine must outlive it.
  std::unique_ptr<Transcription> transcribe(audio::Sound sound, runtime::TranscribeOptions options) {
    return std::make_unique<Transcription>(workspace_, std::move(sound), std::move(options));
  }

  // Encoders (encodings.cpp).

  /// Embeds as many texts, from the first on, as one pass can run: one vector each or, with Pooling::none, one per token.
  std::optional<std::vector<std::vector<float>>> embed(std::span<const std::vector<TokenId>> texts,
                                                       const runtime::EmbeddingForm& form);
  /// Scores as many pairs (tokenizer/pair.hpp), from the first on, as one pass can run: the reranker's first score of each.
  std::optional<std::vector<float>> scores(std::span<const std::vector<TokenId>> pairs);
  /// Runs the encoder over these tokens, and records the values at the requested points (runtime/requests.hpp).
  std::unique_ptr<runtime::Recorder> record_encoder(std::span<const TokenId> tokens, std::vector<runtime::Request> requests);

  /// The logits of every position, T x V, of a model that predicts tokens from the text on both sides. Throws as embed() does.
  std::optional<std::vector<float>> predict(std::span<const TokenId> tokens);
  /// Tokens for the most certain masks of a text in [from, end) (runtime/unmasking.hpp), of a model that writes by unmasking.
  std::optional<std::vector<runtime::Unmasked>> unmask(std::span<const TokenId> text, std::size_t from, std::size_t end,
                                                       sampling::SamplerOptions options);
  std::optional<std::vector<float>> embed_image(const runtime::Image& image, runtime::Pooling pooling, bool normalized);
  /// A probability for each of model().labels().
  std::optional<std::vector<float>> classify(const runtime::Image& image);
  /// As record_encoder(), for an image.
  std::unique_ptr<runtime::Recorder> record_image(const runtime::Image& image, std::vector<runtime::Request> requests);

 private:
  struct Text {
    std::optional<SessionId> session;
    std::unique_ptr<runtime::Sequence> own;  // the sequence, if there is no session
    std::unique_ptr<runtime::Generation> generation;
  };
  using Texts = std::map<GenerationId, Text>;
  struct HeldSession {
    runtime::Session session;
    std::optional<GenerationId> generation = {};  // the generation that continues it
    bool freed = false;                           // to be dropped when that generation ends
  };
  using Sessions = std::map<SessionId, HeldSession>;

  std::vector<ContextCost> context_costs() const;
  std::size_t index_of(AdapterId id) const;
  void finish(Texts::iterator text);
  Sessions::iterator find_session(SessionId id);
  runtime::Session& idle_session(SessionId id);
  SessionId hold(runtime::Session session);
  void drop(Sessions::iterator held);

  std::unique_ptr<runtime::Model> model_;
  runtime::Workspace workspace_;
  runtime::PrefixCache prefix_cache_;
  runtime::Scheduler scheduler_;
  Sessions sessions_;
  Texts texts_;
  int last_session_ = 0, last_generation_ = 0;
  std::vector<std::shared_ptr<const runtime::Adapter>> adapters_;  // by number, from 1 on; nullptr: removed
  std::uint64_t beside_bytes_ = 0;                                 // bytes of adapters, a projector and a draft file
};

}  // namespace heed::engine
