#include "formats/whisper_file.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/byte_reader.hpp"

namespace heed::formats {
namespace {

constexpr std::uint32_t kWhisperMagic = 0x67676d6c;  // "ggml"
constexpr std::uint64_t kMostHeaderBytes = std::uint64_t{16} << 20;
constexpr std::size_t kSpectrumBins = 201;  // bins of a spectrum
constexpr std::size_t kMostName = 256;

[[noreturn]] void damaged(const std::string& message, const std::string& where = {}) {
  throw Error(ErrorCode::invalid_file, message, where);
}

/// The type of matrices, by the file's ftype modulo 1000.
DType matrix_type(std::uint32_t ftype) {
  switch (ftype % 1000) {
    case 0: return DType::f32;
    case 1: return DType::f16;
    case 2: return DType::q4_0;
    case 3: return DType::q4_1;
    case 7: return DType::q8_0;
    case 8: return DType::q5_0;
    case 9: return DType::q5_1;
    default: throw Error(ErrorCode::unsupported, "weights of kind " + std::to_string(ftype) + " are not supported", "ftype");
  }
}

/// Sizes in the header, in its order.
struct Sizes {
  std::uint32_t vocabulary, audio_positions, audio_width, audio_heads, audio_layers, text_positions, text_width, text_heads,
      text_layers, bands, kind;

  explicit Sizes(ByteReader& in) {
    struct Rule {
      std::uint32_t& size;
      std::uint32_t least, most;
      const char* name;
    };
    const Rule rules[] = {
        {vocabulary, 51864, 1u << 20, "n_vocab"},   // the ids of special tokens follow from it
        {audio_positions, 1, 1500, "n_audio_ctx"},  // 30 seconds have 1500
        {audio_width, 1, 1u << 14, "n_audio_state"},
        {audio_heads, 1, 1u << 10, "n_audio_head"},
        {audio_layers, 1, 1u << 8, "n_audio_layer"},
        {text_positions, 16, 1u << 16, "n_text_ctx"},
        {text_width, 1, 1u << 14, "n_text_state"},
        {text_heads, 1, 1u << 10, "n_text_head"},
        {text_layers, 1, 1u << 8, "n_text_layer"},
        {bands, 1, 1u << 10, "n_mels"},
        {kind, 0, 1u << 20, "ftype"},
    };
    for (const auto& [size, least, most, name] : rules) {
      size = in.read<std::uint32_t>();
      if (size < least || size > most) damaged("must be from " + std::to_string(least) + " to " + std::to_string(most), name);
    }
    if (text_width != audio_width || audio_width % audio_heads != 0)
      damaged("must be n_text_state, and a multiple of the heads", "n_audio_state");
    if (text_width % text_heads != 0) damaged("must be a multiple of the heads", "n_text_state");
  }
};

Metadata::Floats whisper_filters(ByteReader& in, std::uint32_t bands) {
  if (in.read<std::uint32_t>() != bands || in.read<std::uint32_t>() != kSpectrumBins) damaged("must be n_mels x 201", "filters");
  Metadata::Floats filters(std::size_t{bands} * kSpectrumBins);
  for (float& value : filters) {
    value = in.read<float>();
    if (!std::isfinite(value)) damaged("must be finite numbers", "filters");
  }
  return filters;
}

/// The file's words, then empty texts for the remaining ids.
Metadata::Strings whisper_words(ByteReader& in, std::uint32_t vocabulary) {
  const auto count = in.read<std::uint32_t>();
  Metadata::Strings words(vocabulary);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto bytes = in.take(in.read<std::uint32_t>());
    words[i].assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return words;
}

/// in: whether tensors belong to a layer of the tower (e), to a layer of the decoder (d), or to the model (m). kind: a norm (n), a
/// bias alone (b), a matrix of width x width with a bias (q) or without one (k), or the matrix up (u) or down (d) of a feed-forward
/// block. stored, name: their names in this file and in GGUF.
struct Part {
  char in, kind;
  const char* stored;
  const char* name;
};
constexpr Part kParts[] = {
    {'m', 'b', "encoder.conv1", "a.conv1d.1"},
    {'m', 'b', "encoder.conv2", "a.conv1d.2"},
    {'m', 'n', "encoder.ln_post", "a.post_ln"},
    {'m', 'n', "decoder.ln", "output_norm"},
    {'e', 'n', "attn_ln", "ln1"},
    {'e', 'q', "attn.query", "attn_q"},
    {'e', 'k', "attn.key", "attn_k"},
    {'e', 'q', "attn.value", "attn_v"},
    {'e', 'q', "attn.out", "attn_out"},
    {'e', 'n', "mlp_ln", "ln2"},
    {'e', 'u', "mlp.0", "ffn_up"},
    {'e', 'd', "mlp.2", "ffn_down"},
    {'d', 'n', "attn_ln", "attn_norm"},
    {'d', 'q', "attn.query", "attn_q"},
    {'d', 'k', "attn.key", "attn_k"},
    {'d', 'q', "attn.value", "attn_v"},
    {'d', 'q', "attn.out", "attn_output"},
    {'d', 'n', "cross_attn_ln", "cross_attn_norm"},
    {'d', 'q', "cross_attn.query", "cross_attn_q"},
    {'d', 'k', "cross_attn.key", "cross_attn_k"},
    {'d', 'q', "cross_attn.value", "cross_attn_v"},
    {'d', 'q', "cross_attn.out", "cross_attn_output"},
    {'d', 'n', "mlp_ln", "ffn_norm"},
    {'d', 'u', "mlp.0", "ffn_up"},
    {'d', 'd', "mlp.2", "ffn_down"},
};

}  // namespace

void WhisperFileReader::promise(const std::string& stored, const std::string& name, DType dtype, std::vector<std::size_t> shape) {
  TensorInfo tensor{.name = name, .dtype = dtype, .shape = std::move(shape)};
  if (tensor.columns() % info(dtype).block_values != 0)
    damaged("has rows of " + std::to_string(tensor.columns()) + " values, which its type does not divide", name);
  tensor.bytes = std::uint64_t{tensor.rows()} * row_bytes(dtype, tensor.columns());
  // A tensor's header: n_dims, the length of the name and the type; the dimensions; the name. A convolution's bias has two
  // dimensions.
  const std::size_t dimensions = name.starts_with("a.conv1d") && tensor.shape.size() == 1 ? 2 : tensor.shape.size();
  end_ += 12 + 4 * dimensions + stored.size();
  tensor.offset = end_;
  end_ += tensor.bytes;
  tensors_.push_back({stored, std::move(tensor)});
}

/// Reads the header up to the number of words.
void WhisperFileReader::read_fixed(ByteReader& in) {
  if (in.read<std::uint32_t>() != kWhisperMagic) damaged("this is neither a GGUF file nor one of whisper.cpp");
  const Sizes sizes(in);
  whisper_filters(in, sizes.bands);
  words_left_ = in.read<std::uint32_t>();
  if (words_left_ > sizes.vocabulary) damaged("must be at most n_vocab", "words");
}

/// Reads the header, all of which is in buffer_.
TensorFile WhisperFileReader::read_header() {
  ByteReader in(buffer_);
  in.take(sizeof kWhisperMagic);
  const Sizes sizes(in);
  const DType matrices = matrix_type(sizes.kind);
  const DType kernels = matrices == DType::f32 ? DType::f32 : DType::f16;
  Metadata::Floats filters = whisper_filters(in, sizes.bands);
  Metadata::Strings words = whisper_words(in, sizes.vocabulary);

  end_ = in.position();
  const std::size_t width = sizes.audio_width;
  promise("encoder.positional_embedding", "a.position_embd.weight", DType::f32, {sizes.audio_positions, width});
  promise("encoder.conv1.weight", "a.conv1d.1.weight", kernels, {width, sizes.bands, 3});
  promise("encoder.conv2.weight", "a.conv1d.2.weight", kernels, {width, width, 3});
  promise("decoder.positional_embedding", "position_embd.weight", DType::f32, {sizes.text_positions, width});
  promise("decoder.token_embedding.weight", "token_embd.weight", matrices, {sizes.vocabulary, width});
  for (const Part& part : kParts) {
    const std::uint32_t layers = part.in == 'e' ? sizes.audio_layers : part.in == 'd' ? sizes.text_layers : 1;
    const std::string of_stored = part.in == 'e' ? "encoder.blocks." : part.in == 'd' ? "decoder.blocks." : "";
    const std::string of_name = part.in == 'e' ? "a.blk." : part.in == 'd' ? "blk." : "";
    const std::size_t rows = part.kind == 'u' ? 4 * width : width, columns = part.kind == 'd' ? 4 * width : width;
    for (std::uint32_t i = 0; i < layers; ++i) {
      const std::string number = of_name.empty() ? "" : std::to_string(i) + ".";
      const std::string stored = of_stored + number + part.stored, name = of_name + number + part.name;
      if (part.kind == 'n') promise(stored + ".weight", name + ".weight", DType::f32, {width});
      else if (part.kind != 'b') promise(stored + ".weight", name + ".weight", matrices, {rows, columns});
      if (part.kind != 'k') promise(stored + ".bias", name + ".bias", DType::f32, {rows});
    }
  }

  missing_ = tensors_.size();
  Metadata metadata;
  const std::string prefix = "whisper.";
  for (const char* key : {"general.architecture", "tokenizer.ggml.model"}) metadata.set(key, "whisper");
  const std::pair<const char*, std::size_t> counts[] = {
      {"context_length", sizes.text_positions},   {"embedding_length", width},
      {"feed_forward_length", 4 * width},         {"block_count", sizes.text_layers},
      {"attention.head_count", sizes.text_heads}, {"audio.context_length", sizes.audio_positions},
      {"audio.embedding_length", width},          {"audio.feed_forward_length", 4 * width},
      {"audio.block_count", sizes.audio_layers},  {"audio.attention.head_count", sizes.audio_heads},
      {"audio.num_mel_bins", sizes.bands},
  };
  for (const auto& [key, value] : counts) metadata.set(prefix + key, static_cast<std::int64_t>(value));
  for (const char* key : {"", "audio."}) metadata.set(prefix + key + "attention.layer_norm_epsilon", 1e-5);
  metadata.set(prefix + "audio.mel_filters", std::move(filters));
  metadata.set("tokenizer.ggml.tokens", std::move(words));

  std::vector<TensorInfo> tensors;
  tensors.reserve(tensors_.size());
  for (const Tensor& tensor : tensors_) tensors.push_back(tensor.info);
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(in.position()));
  needed_ = 0;
  return TensorFile("whisper.cpp", std::move(metadata), std::move(tensors), scanned_);
}

std::optional<TensorFile> WhisperFileReader::write(std::span<const std::byte> chunk) {
  buffer_.insert(buffer_.end(), chunk.begin(), chunk.end());
  if (buffer_.size() < needed_) return std::nullopt;
  if (3 * buffer_.size() > memory_) throw Error(ErrorCode::out_of_memory, "is too little for the vocabulary", "memory_limit");
  try {
    ByteReader in(buffer_);
    if (scanned_ == 0) read_fixed(in);
    else in.take(scanned_);
    scanned_ = in.position();
    for (; words_left_ > 0; --words_left_) {
      in.take(in.read<std::uint32_t>());
      scanned_ = in.position();
    }
    return read_header();
  } catch (const EndOfBytes& end) {
    if (end.needed() > kMostHeaderBytes) damaged("the header claims more than 16 MiB");
    needed_ = static_cast<std::size_t>(end.needed());
    return std::nullopt;
  }
}

std::vector<std::byte> WhisperFileReader::take_rest() { return std::exchange(buffer_, {}); }

/// Reads a tensor's header, with which `bytes` begin, and marks the tensor as received. Throws EndOfBytes.
WhisperFileReader::Tensor& WhisperFileReader::read_tensor(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  const auto dimensions = in.read<std::uint32_t>(), length = in.read<std::uint32_t>(), type = in.read<std::uint32_t>();
  if (dimensions == 0 || dimensions > 4 || length > kMostName) damaged("a tensor's header is damaged");
  std::vector<std::size_t> shape(dimensions);
  for (std::size_t i = dimensions; i-- > 0;) shape[i] = in.read<std::uint32_t>();
  const auto characters = in.take(length);
  const std::string_view name(reinterpret_cast<const char*>(characters.data()), characters.size());
  const auto tensor = std::ranges::find(tensors_, name, &Tensor::stored_name);
  if (tensor == tensors_.end()) damaged("a tensor has a name that the architecture lacks");
  if (dimensions == 2 && shape[1] == 1) shape.pop_back();  // the bias of a convolution
  if (shape != tensor->info.shape || type != info(tensor->info.dtype).gguf_code)
    damaged("has a shape or a type that the header does not promise", tensor->stored_name);
  if (tensor->came) damaged("the tensor appears twice", tensor->stored_name);
  tensor->came = true;
  --missing_;
  return *tensor;
}

std::optional<WhisperFileReader::Run> WhisperFileReader::next(std::span<const std::byte>& bytes) {
  bool begins = false;
  while (left_ == 0) {
    if (bytes.empty() || missing_ == 0) return std::nullopt;  // what follows the last tensor is ignored
    // The header of a tensor may be in several chunks: it is joined byte by byte.
    buffer_.push_back(bytes.front());
    bytes = bytes.subspan(1);
    if (buffer_.size() < std::max<std::size_t>(needed_, 12)) continue;
    try {
      const Tensor& tensor = read_tensor(buffer_);
      at_ = tensor.info.offset;
      left_ = tensor.info.bytes;
      begins = true;
      buffer_.clear();
      needed_ = 0;
    } catch (const EndOfBytes& end) {
      needed_ = static_cast<std::size_t>(end.needed());
    }
  }
  if (begins && bytes.empty()) return Run{at_, true, {}};
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), left_));
  const Run run{at_, begins, bytes.first(count)};
  if (count == 0) return std::nullopt;
  bytes = bytes.subspan(count);
  at_ += count;
  left_ -= count;
  return run;
}

void WhisperFileReader::require_all() const {
  const auto missing = std::ranges::find(tensors_, false, &Tensor::came);
  if (missing != tensors_.end()) damaged("the file lacks this tensor, which the architecture needs", missing->stored_name);
}

TensorFile read_whisper_header(std::span<const std::byte> header) {
  auto file = WhisperFileReader().write(header);
  if (!file) damaged("ends inside its header", "file");
  return *std::move(file);
}

}  // namespace heed::formats
