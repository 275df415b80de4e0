#include "runtime/load.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <new>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/extra.hpp"
#include "base/thread_pool.hpp"
#include "formats/gguf.hpp"
#include "formats/whisper_file.hpp"
#include "kernels/dispatch.hpp"
#include "models/registry.hpp"
#include "nn/assistant.hpp"
#include "nn/audio_encoder.hpp"
#include "nn/drafts.hpp"
#include "nn/encoder.hpp"
#include "nn/settle.hpp"
#include "nn/vision.hpp"
#include "runtime/describe.hpp"
#include "runtime/drafts/own_heads.hpp"
#include "runtime/fingerprint.hpp"
#include "runtime/memory_plan.hpp"
#include "runtime/warm_up.hpp"

namespace heed::runtime {
namespace {

/// Whether weights of this type are common. The kernels for all other types are in the extra module (cmake/extra.cmake).
constexpr bool is_common(DType dtype) noexcept { return dtype < DType::mxfp4; }

/// Whether the model is a decoder made of common blocks only, which runs without the extra module.
bool is_common(const nn::ModelSpec& spec) {
  if (!spec.decoder || spec.encoder || spec.audio || spec.vision || spec.decoder->stack.bias || spec.decoder->stack.alt_up)
    return false;
  const auto is_common_block = [](const nn::SublayerSpec& sublayer) {
    return std::visit(
        []<class Spec>(const Spec& block) {
          if constexpr (std::is_same_v<Spec, nn::AttentionSpec>) return !block.value_experts;
          else
            return std::is_same_v<Spec, nn::MlpSpec> || std::is_same_v<Spec, nn::GatedDeltaNetSpec> ||
                   std::is_same_v<Spec, nn::ShortConvolutionSpec> || std::is_same_v<Spec, nn::PerLayerInputSpec>;
        },
        sublayer.block);
  };
  return std::ranges::all_of(spec.decoder->stack.layers, [&](const nn::LayerSpec& layer) {
    return std::all_of(layer.sublayers.begin(), layer.sublayers.end(), is_common_block);
  });
}

}  // namespace

struct Loader::State {
  LoadOptions options;
  const FileKind* kind;
  const kernels::Kernels& kernels;
  formats::GgufHeaderReader reader;
  std::optional<formats::WhisperFileReader> whisper;  // if the file is one of whisper.cpp
  formats::TensorFile file;
  bool knows_header = false;            // the whole header has been read
  std::vector<std::byte> after_header;  // bytes that arrived with its end
  bool has_header = false;              // begin() has succeeded
  Model::Parts parts;
  std::unique_ptr<nn::Weights> weights;

  Fingerprint fingerprint;
  std::uint64_t written = 0;    // bytes of the file so far
  std::size_t taken = 0;        // of `written`: bytes of a write() that threw, which are skipped when it is called again
  std::size_t tensor = 0;       // index of the tensor that the next bytes belong to
  std::size_t row = 0;          // index of the row in that tensor
  std::vector<std::byte> part;  // the bytes of an incomplete row

  State(LoadOptions o, const FileKind* k, std::shared_ptr<ThreadPool> pool)
      : options(std::move(o)), kind(k), kernels(kernels::select(options.target)), reader(memory_limit(options)) {
    parts.kernels = &kernels;
    parts.pool = std::move(pool);
    if (parts.pool) options.threads = parts.pool->threads();
    if (options.threads < 1 || options.threads > ThreadPool::kMaxThreads)
      throw Error(ErrorCode::invalid_argument, "must be 1 to " + std::to_string(ThreadPool::kMaxThreads), "threads");
  }

  void read_header(std::span<const std::byte> piece);
  void begin();
  void read_tensors(std::uint64_t offset, std::span<const std::byte> bytes);
  void fill(std::uint64_t offset, std::span<const std::byte> bytes);
  void write_rows(std::size_t rows, const std::byte* stored);
};

/// Checks the header, and allocates everything that the file will fill. May be called again after require_extra().
void Loader::State::begin() {
  if (!std::ranges::all_of(file.tensors, [](const formats::TensorInfo& tensor) { return is_common(tensor.dtype); }))
    require_extra();
  parts.spec = std::make_unique<nn::ModelSpec>(kind ? kind->spec(file, options) : models::model_spec(file.metadata));
  choose_draft_heads(*parts.spec, file, options);
  if (parts.spec->draft || !is_common(*parts.spec)) require_extra();
  nn::settle(*parts.spec, file);
  parts.info = describe(*parts.spec, file);
  parts.info.threads = options.threads;
  parts.info.target = kernels.name;
  if (const auto* labels = file.metadata.find<formats::Metadata::Strings>(parts.info.architecture + ".labels");
      labels && parts.info.sees)
    parts.labels = *labels;
  const MemoryPlan plan(*parts.spec, file, options, kernels);
  plan.choose(parts.info);
  plan.check(parts.info);
  if (parts.spec->draft && parts.spec->decoder && !plan.reads_heads(parts.info)) leave_out_own_heads(*parts.spec);
  if (has_blocks(parts.info.kv_cache)) require_extra();
  try {
    const nn::ModelSpec& spec = *parts.spec;
    if (spec.encoder || spec.decoder || spec.draft) parts.tokenizer = tokenizer::make_tokenizer(file.metadata);
    weights = std::make_unique<nn::Weights>(file, kernels);
    if (spec.encoder) parts.encoder = std::make_unique<nn::Encoder>(*spec.encoder, parts.info.context_length, *weights);
    if (spec.vision) parts.vision = std::make_unique<nn::VisionEncoder>(*spec.vision, *weights);
    if (spec.audio) parts.audio = std::make_unique<nn::AudioEncoder>(*spec.audio, *weights);
    const nn::Embedding* shared = parts.encoder ? &parts.encoder->embedding() : nullptr;
    if (spec.decoder) parts.decoder = std::make_unique<nn::Decoder>(*spec.decoder, parts.info.context_length, *weights, shared);
    if (spec.draft && spec.draft->assists != 0)
      parts.assistant = std::make_unique<nn::Assistant>(*spec.draft, parts.info.context_length, *weights);
    else if (spec.draft)
      parts.draft = nn::make_drafts(*spec.draft, parts.info.context_length, *weights,
                                    parts.decoder ? *parts.decoder : *options.drafts_for->decoder(), parts.decoder != nullptr);
    if (kind && kind->complete) kind->complete(parts, *weights);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory,
                "needs " + std::to_string(parts.info.memory_bytes) + " bytes, which the system could not allocate", "model");
  }
  weights->check_all_requested();
  parts.matrices = weights->stored_matrices();
  parts.vectors = weights->stored_vectors();
  if (!parts.pool) parts.pool = std::make_shared<ThreadPool>(options.threads);
  file.metadata = {};  // no longer needed; vocabularies are large
}

/// Parses the next bytes of the header, and keeps bytes beyond the header's end in after_header.
void Loader::State::read_header(std::span<const std::byte> piece) {
  if (written == 0 && formats::WhisperFileReader::begins(piece.front())) whisper.emplace(memory_limit(options));
  auto header = whisper ? whisper->write(piece) : reader.write(piece);
  if (!header) return;
  after_header = whisper ? whisper->take_rest() : reader.take_rest();
  file = std::move(*header);
  knows_header = true;
}

/// bytes: of the file, from `offset` on. Tensors of whisper.cpp's files may come in another order than they are listed in.
void Loader::State::read_tensors(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!whisper) return fill(offset, bytes);
  while (const auto run = whisper->next(bytes)) {
    if (run->begins) {
      tensor = static_cast<std::size_t>(std::ranges::lower_bound(file.tensors, run->offset, {}, &formats::TensorInfo::offset) -
                                        file.tensors.begin());
      row = 0;
      part.clear();
    }
    fill(run->offset, run->bytes);
  }
}

/// bytes: of the file, from `offset` on. Whole rows are packed directly; a row that arrives in pieces is joined first.
void Loader::State::fill(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (tensor < file.tensors.size()) {
    const formats::TensorInfo& to = file.tensors[tensor];
    const std::size_t columns = weights->columns(tensor), all_rows = to.rows() * to.columns() / columns;
    const std::size_t row_size = row_bytes(to.dtype, columns);
    const std::uint64_t next = to.offset + std::uint64_t{row} * row_size + part.size();
    const std::uint64_t skip = next > offset ? next - offset : 0;  // padding between tensors
    if (skip >= bytes.size()) return;
    bytes = bytes.subspan(static_cast<std::size_t>(skip));
    offset += skip;

    std::size_t rows = 0, consumed;
    if (part.empty() && bytes.size() >= row_size) {
      rows = std::min(bytes.size() / row_size, all_rows - row);
      consumed = rows * row_size;
      write_rows(rows, bytes.data());
    } else {
      consumed = std::min(row_size - part.size(), bytes.size());
      part.insert(part.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(consumed));
      if (part.size() == row_size) {
        write_rows(rows = 1, part.data());
        part.clear();
      }
    }
    bytes = bytes.subspan(consumed);
    offset += consumed;
    row += rows;
    if (row == all_rows) {
      row = 0;
      ++tensor;
    }
  }
}

/// Packs the next rows of the current tensor on all threads. Chunks are whole panels, so that threads rarely write to the same
/// cache line.
void Loader::State::write_rows(std::size_t rows, const std::byte* stored) {
  constexpr std::size_t kChunk = std::size_t{1} << 14;  // bytes
  const formats::TensorInfo& to = file.tensors[tensor];
  const std::size_t row_size = row_bytes(to.dtype, weights->columns(tensor));
  const std::size_t panels = std::max<std::size_t>(kChunk / (row_size * kernels.panel_rows), 1);
  parts.pool->parallel_for(rows, panels * kernels.panel_rows, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) weights->write_row(tensor, row + i, stored + i * row_size);
  });
}

Loader::Loader(LoadOptions options, const FileKind* kind, std::shared_ptr<ThreadPool> pool)
    : state_(std::make_unique<State>(std::move(options), kind, std::move(pool))) {}
Loader::~Loader() = default;

void Loader::write(std::span<const std::byte> chunk) {
  State& s = *state_;
  const std::span<const std::byte> all = chunk;
  chunk = chunk.subspan(s.taken);
  constexpr std::size_t kPiece = std::size_t{1} << 16;  // the reader copies whole pieces
  while (!s.has_header && (s.knows_header || !chunk.empty())) {
    if (s.knows_header) {
      s.begin();
      s.has_header = true;
      s.read_tensors(s.reader.header_bytes(), std::exchange(s.after_header, {}));
    } else {
      const auto piece = chunk.first(std::min(kPiece, chunk.size()));
      s.read_header(piece);
      chunk = chunk.subspan(piece.size());
      s.written += piece.size();
      s.taken += piece.size();
    }
  }
  s.read_tensors(s.written, chunk);
  s.written += chunk.size();
  s.taken = 0;
  s.fingerprint.add(s.written - all.size(), all);
}

void Loader::warm_up() {
  std::set<DType> matrices;
  for (const auto& tensor : state_->file.tensors)
    if (tensor.shape.size() > 1 && !nn::PerLayerEmbedding::keeps_as_stored(tensor.name)) matrices.insert(tensor.dtype);
  const std::vector<DType> types(matrices.begin(), matrices.end());
  runtime::warm_up(state_->kernels, types, state_->parts.info.kv_cache);
}

const ModelInfo* Loader::info() const noexcept { return state_->has_header ? &state_->parts.info : nullptr; }
std::uint64_t Loader::bytes_expected() const noexcept { return state_->has_header ? state_->file.bytes : 0; }
std::uint64_t Loader::bytes_written() const noexcept { return state_->written; }

std::unique_ptr<Model> Loader::finish() {
  State& s = *state_;
  if (!s.has_header)
    throw Error(ErrorCode::invalid_file, "ends inside its header, after " + std::to_string(s.written) + " bytes", "file");
  s.file.require_bytes(s.written);
  if (s.whisper) s.whisper->require_all();
  s.parts.info.fingerprint = s.fingerprint.value();
  return std::make_unique<Model>(std::move(s.parts));
}

std::unique_ptr<Model> load_file(const std::string& path, LoadOptions options, const FileKind* kind) {
  Loader loader(std::move(options), kind);
  return load_file(path, loader);
}

std::unique_ptr<Model> load_file(const std::string& path, Loader& loader) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw Error(ErrorCode::io, "cannot be opened", path);
  std::vector<std::byte> chunk(std::size_t{1} << 20);
  try {
    while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), file.get())) loader.write(std::span(chunk).first(n));
    if (!std::ferror(file.get())) return loader.finish();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_file) throw;
    throw Error(error.code(), error.message(), path);  // names the file, which may be one of several
  }
  throw Error(ErrorCode::io, "cannot be read", path);
}

}  // namespace heed::runtime
