// Parses the GGUF header as a sequence of small pieces, each read whole or not at all, so that chunks can be split anywhere.
#include "formats/gguf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/byte_reader.hpp"
#include "formats/gguf_values.hpp"

namespace heed::formats {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxNameBytes = 65535;
// The least bytes of an entry. Metadata: length of the key, key, type, value. Tensor: length of the name, name, rank, one
// dimension, type, offset.
constexpr std::uint64_t kMinMetadataBytes = 8 + 1 + 4 + 1;
constexpr std::uint64_t kMinTensorBytes = 8 + 1 + 4 + 8 + 4 + 8;
// A limit of offsets and sizes, so that no sum of two overflows.
constexpr std::uint64_t kMaxTensorBytes = std::uint64_t{1} << 62;

// The names of all tensor types that ggml has or had, for messages about unsupported ones.
constexpr std::array<std::string_view, 43> kGgmlTypes = {
    "F32",      "F16",    "Q4_0",  "Q4_1",       "Q4_2",       "Q4_3",       "Q5_0",   "Q5_1",    "Q8_0",  "Q8_1",     "Q2_K",
    "Q3_K",     "Q4_K",   "Q5_K",  "Q6_K",       "Q8_K",       "IQ2_XXS",    "IQ2_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL",   "IQ3_S",
    "IQ2_S",    "IQ4_XS", "I8",    "I16",        "I32",        "I64",        "F64",    "IQ1_M",   "BF16",  "Q4_0_4_4", "Q4_0_4_8",
    "Q4_0_8_8", "TQ1_0",  "TQ2_0", "IQ4_NL_4_4", "IQ4_NL_4_8", "IQ4_NL_8_8", "MXFP4",  "NVFP4",   "Q1_0",  "Q2_0"};

[[noreturn]] void fail(std::string message, std::string where = {}) {
  throw Error(ErrorCode::invalid_file, std::move(message), std::move(where));
}

[[noreturn]] void fail_unsupported(std::string message, std::string where = {}) {
  throw Error(ErrorCode::unsupported, std::move(message), std::move(where));
}

// Memory of a piece besides its bytes: a node of a table, the header of an allocation, spare capacity of a vector.
constexpr std::uint64_t kPieceMemory = 128;

constexpr std::size_t kDeepestLists = 8;

[[noreturn]] void fail_too_large() { fail("the header claims more than 64 MiB"); }

// Metadata keys and tensor names end up in messages, so they have to be plain text.
bool printable(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= 0x20 && c < 0x7f; });
}

std::string read_name(ByteReader& in, const char* what) {
  const auto length = in.read<std::uint64_t>();
  if (length > kMaxNameBytes) fail(std::string(what) + " is longer than 65535 bytes");
  const auto bytes = in.take(length);
  std::string name(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!printable(name)) fail(std::string(what) + " is not printable ASCII text");
  return name;
}

constexpr std::uint32_t kInteger64 = 27;

DType dtype_of(std::uint32_t code, const std::string& tensor) {
  if (const auto dtype = dtype_of_gguf_code(code)) return *dtype;
  const std::string name = code < kGgmlTypes.size() ? std::string(kGgmlTypes[code]) : "number " + std::to_string(code);
  fail_unsupported("tensors of type " + name + " are not supported", tensor);
}

}  // namespace

class GgufHeaderReader::Parser {
 public:
  explicit Parser(std::uint64_t memory) : memory_limit_(memory) {}

  // Reads as many whole pieces as `bytes` contains, and returns their length. `bytes` must continue what was read before.
  std::size_t parse(std::span<const std::byte> bytes) {
    const std::uint64_t allowed = kMaxHeaderBytes - position_;
    ByteReader in(bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), allowed))));
    std::size_t taken = 0;
    needed_ = 0;
    try {
      while (stage_ != Stage::complete) {
        read_piece(in);
        use_memory(kPieceMemory + 2 * (in.position() - taken));
        taken = in.position();
      }
    } catch (const EndOfBytes& end) {
      if (end.needed() > allowed) fail_too_large();
      needed_ = static_cast<std::size_t>(end.needed()) - taken;
    }
    position_ += taken;
    return taken;
  }

  bool complete() const { return stage_ == Stage::complete; }
  std::uint64_t position() const { return position_; }

  // The least number of bytes after position() with which parsing can make progress.
  std::size_t needed() const { return needed_; }

  TensorFile take_file() {
    const std::uint64_t data = (position_ + alignment_ - 1) / alignment_ * alignment_;
    for (auto& tensor : tensors_) tensor.offset += data;
    return TensorFile("GGUF " + std::to_string(version_), std::move(metadata_), std::move(tensors_), position_);
  }

 private:
  enum class Stage : std::uint8_t { magic, version, metadata, strings, lists, tensors, complete };

  void read_piece(ByteReader& in) {
    switch (stage_) {
      case Stage::magic: return read_magic(in);
      case Stage::version: return read_version(in);
      case Stage::metadata: return metadata_left_ > 0 ? read_metadata(in) : end_metadata();
      case Stage::strings: return strings_left_ > 0 ? read_element(in) : end_strings();
      case Stage::lists: return read_past_lists(in);
      case Stage::tensors:
        if (tensors_left_ > 0) return read_tensor(in);
        stage_ = Stage::complete;
        return;
      case Stage::complete: return;
    }
  }

  // Throws out_of_memory instead of exceeding the limit. An array of numbers is buffered until it is complete; each number then
  // needs at most 8 bytes.
  void use_memory(std::uint64_t bytes) {
    require_memory(bytes);
    used_memory_ += bytes;
  }
  void require_memory(std::uint64_t bytes) const {
    if (bytes <= memory_limit_ - used_memory_) return;
    const auto megabytes = [](std::uint64_t size) { return std::to_string((size + 999'999) / 1'000'000) + " MB"; };
    throw Error(ErrorCode::out_of_memory,
                "needs " + megabytes(used_memory_ + bytes) + " for the first part of its metadata, but the limit is " +
                    megabytes(memory_limit_),
                "memory_limit");
  }

  void read_magic(ByteReader& in) {
    constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
    if (in.read<std::uint32_t>() != kMagic) fail("this is not a GGUF file");
    stage_ = Stage::version;
  }

  void read_version(ByteReader& in) {
    const auto version = in.read<std::uint32_t>();
    // The version reveals a big-endian file; the magic is the same.
    if (version != 0 && (version & 0xffff) == 0) fail_unsupported("big-endian GGUF files are not supported");
    if (version != 2 && version != 3)
      fail_unsupported("GGUF version " + std::to_string(version) + " is not supported; only 2 and 3 are");
    const auto tensors = in.read<std::uint64_t>();
    const auto entries = in.read<std::uint64_t>();
    if (tensors > kMaxHeaderBytes / kMinTensorBytes || entries > kMaxHeaderBytes / kMinMetadataBytes) fail_too_large();
    version_ = version;
    tensors_left_ = tensors;
    metadata_left_ = entries;
    stage_ = Stage::metadata;
  }

  void read_metadata(ByteReader& in) {
    std::string key = read_name(in, "a metadata key");
    const auto type = in.read<GgufType>();
    if (type != GgufType::array) {
      metadata_.set(key, read_gguf_scalar(in, type, key));
    } else {
      const auto element_type = in.read<GgufType>();
      const auto count = in.read<std::uint64_t>();
      if (count > kMaxHeaderBytes) fail_too_large();
      if (element_type == GgufType::string) {
        list_key_ = std::move(key);
        strings_left_ = count;
        stage_ = Stage::strings;
      } else if (element_type == GgufType::array) {
        list_key_ = std::move(key);
        lists_.push_back({GgufType::array, count});
        stage_ = Stage::lists;
      } else {
        require_memory(10 * count);
        metadata_.set(key, read_gguf_array(in, element_type, count, key));
        use_memory(8 * count);
      }
    }
    --metadata_left_;
  }

  // Each string is a piece of its own, because the strings of a vocabulary are most of a header.
  void read_element(ByteReader& in) {
    strings_.push_back(read_gguf_string(in));
    --strings_left_;
  }

  void end_strings() {
    metadata_.set(std::move(list_key_), std::exchange(strings_, {}));
    stage_ = Stage::metadata;
  }

  // Skips the elements of lists of lists, which no model needs: each string and each list of numbers is a piece.
  void read_past_lists(ByteReader& in) {
    auto& [type, left] = lists_.back();
    if (left == 0) {
      lists_.pop_back();
      if (lists_.empty()) stage_ = Stage::metadata;
    } else if (type == GgufType::array) {
      const auto element_type = in.read<GgufType>();
      const auto count = in.read<std::uint64_t>();
      if (count > kMaxHeaderBytes) fail_too_large();
      if (lists_.size() == kDeepestLists) fail("has lists nested more than " + std::to_string(kDeepestLists) + " deep", list_key_);
      --left;
      lists_.push_back({element_type, count});
    } else if (type == GgufType::string) {
      in.take(in.read<std::uint64_t>());
      --left;
    } else {
      in.take(left * gguf_bytes(type, list_key_));
      left = 0;
    }
  }

  void end_metadata() {
    alignment_ = metadata_.count("general.alignment", 32);
    if (!std::has_single_bit(alignment_)) fail("the alignment is not a power of two", "general.alignment");
    stage_ = Stage::tensors;
  }

  void read_tensor(ByteReader& in) {
    TensorInfo tensor;
    tensor.name = read_name(in, "a tensor name");
    const auto rank = in.read<std::uint32_t>();
    if (rank > 4) fail("the tensor has " + std::to_string(rank) + " dimensions, more than 4", tensor.name);
    std::uint64_t values = 1;
    for (std::uint32_t i = 0; i < rank; ++i) {
      const auto size = in.read<std::uint64_t>();
      // A dimension fits into a 32-bit size_t, and no type takes more than 4 bytes a value.
      if (size == 0 || size > std::numeric_limits<std::uint32_t>::max() || values > kMaxTensorBytes / 4 / size)
        fail("a dimension of the tensor is out of range", tensor.name);
      values *= size;
      tensor.shape.push_back(static_cast<std::size_t>(size));
    }
    if (rank == 0) tensor.shape.push_back(1);  // a scalar, as NumPy stores it
    std::ranges::reverse(tensor.shape);        // GGUF writes the innermost dimension first
    const auto code = in.read<std::uint32_t>();
    tensor.dtype = code == kInteger64 ? DType::f32 : dtype_of(code, tensor.name);
    if (code == kInteger64) {  // 64-bit token ids: each is read as two 32-bit words
      if (tensor.shape.back() > std::numeric_limits<std::uint32_t>::max() / 2)
        fail("a dimension of the tensor is out of range", tensor.name);
      tensor.shape.back() *= 2;
      values *= 2;
    }
    const auto& type = info(tensor.dtype);
    if (tensor.columns() % type.block_values != 0)
      fail("rows of " + std::to_string(tensor.columns()) + " values are not whole blocks of " + std::string(type.name),
           tensor.name);
    tensor.bytes = values / type.block_values * type.block_bytes;
    tensor.offset = in.read<std::uint64_t>();
    if (tensor.offset % alignment_ != 0 || tensor.offset > kMaxTensorBytes)
      fail("the tensor's offset is misaligned or out of range", tensor.name);
    tensors_.push_back(std::move(tensor));
    --tensors_left_;
  }

  std::uint64_t memory_limit_, used_memory_ = 0;
  Stage stage_ = Stage::magic;
  std::uint64_t position_ = 0;
  std::size_t needed_ = 0;
  std::uint32_t version_ = 0;
  std::uint64_t metadata_left_ = 0;
  std::uint64_t tensors_left_ = 0;
  std::uint64_t strings_left_ = 0;
  std::uint32_t alignment_ = 32;
  struct List {
    GgufType type;  // the type of the list's elements
    std::uint64_t left;
  };
  std::vector<List> lists_;  // nested lists: each is an element of the one before
  std::string list_key_;
  Metadata::Strings strings_;
  Metadata metadata_;
  std::vector<TensorInfo> tensors_;
};

GgufHeaderReader::GgufHeaderReader(std::uint64_t memory) : parser_(std::make_unique<Parser>(memory)) {}
GgufHeaderReader::~GgufHeaderReader() = default;
GgufHeaderReader::GgufHeaderReader(GgufHeaderReader&&) noexcept = default;
GgufHeaderReader& GgufHeaderReader::operator=(GgufHeaderReader&&) noexcept = default;

std::optional<TensorFile> GgufHeaderReader::write(std::span<const std::byte> chunk) {
  buffer_.insert(buffer_.end(), chunk.begin(), chunk.end());
  if (buffer_.size() < parser_->needed()) return std::nullopt;
  const auto taken = parser_->parse(buffer_);
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(taken));
  if (!parser_->complete()) return std::nullopt;
  return parser_->take_file();
}

std::vector<std::byte> GgufHeaderReader::take_rest() { return std::exchange(buffer_, {}); }

std::uint64_t GgufHeaderReader::header_bytes() const noexcept { return parser_->position(); }

TensorFile read_gguf_header(std::span<const std::byte> bytes) {
  GgufHeaderReader reader;
  constexpr std::size_t kChunk = std::size_t{1} << 20;  // so that few bytes of tensors after the header are copied
  for (std::size_t begin = 0; begin < bytes.size(); begin += kChunk)
    if (auto file = reader.write(bytes.subspan(begin, std::min(kChunk, bytes.size() - begin)))) return *std::move(file);
  fail("the file ends inside its header");
}

}  // namespace heed::formats
