// Converts GGUF's thirteen types of values to the six of Metadata.
#include "formats/gguf_values.hpp"

#include <limits>
#include <utility>

#include "base/error.hpp"

namespace heed::formats {
namespace {

template <class T>
std::int64_t read_integer(ByteReader& in, const std::string& key) {
  const T value = in.read<T>();
  if (std::cmp_greater(value, std::numeric_limits<std::int64_t>::max()))
    throw Error(ErrorCode::unsupported, "the value " + std::to_string(value) + " needs more than 63 bits", key);
  return static_cast<std::int64_t>(value);
}

bool read_boolean(ByteReader& in, const std::string& key) {
  const auto value = in.read<std::uint8_t>();
  if (value > 1) throw Error(ErrorCode::invalid_file, "a boolean is neither 0 nor 1", key);
  return value == 1;
}

// `read` turns each of `count` elements of `stored` bytes into a value.
template <class Values, class Read>
Values read_elements(ByteReader& in, std::uint64_t count, std::size_t stored, Read read) {
  ByteReader elements(in.take(count * stored));
  Values values;
  values.reserve(static_cast<std::size_t>(count));
  while (elements.remaining() > 0) values.push_back(read(elements));
  return values;
}

[[noreturn]] void throw_unknown(GgufType type, const std::string& key) {
  const auto number = std::to_string(static_cast<std::uint32_t>(type));
  throw Error(ErrorCode::invalid_file, "the metadata has unknown type " + number, key);
}

}  // namespace

std::string read_gguf_string(ByteReader& in) {
  const auto bytes = in.take(in.read<std::uint64_t>());
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::size_t gguf_bytes(GgufType type, const std::string& key) {
  switch (type) {
    case GgufType::u8:
    case GgufType::i8:
    case GgufType::boolean: return 1;
    case GgufType::u16:
    case GgufType::i16: return 2;
    case GgufType::u32:
    case GgufType::i32:
    case GgufType::f32: return 4;
    case GgufType::u64:
    case GgufType::i64:
    case GgufType::f64: return 8;
    case GgufType::string:
    case GgufType::array: break;
  }
  throw_unknown(type, key);
}

Metadata::Value read_gguf_scalar(ByteReader& in, GgufType type, const std::string& key) {
  switch (type) {
    case GgufType::u8: return read_integer<std::uint8_t>(in, key);
    case GgufType::i8: return read_integer<std::int8_t>(in, key);
    case GgufType::u16: return read_integer<std::uint16_t>(in, key);
    case GgufType::i16: return read_integer<std::int16_t>(in, key);
    case GgufType::u32: return read_integer<std::uint32_t>(in, key);
    case GgufType::i32: return read_integer<std::int32_t>(in, key);
    case GgufType::u64: return read_integer<std::uint64_t>(in, key);
    case GgufType::i64: return read_integer<std::int64_t>(in, key);
    case GgufType::f32: return static_cast<double>(in.read<float>());
    case GgufType::f64: return in.read<double>();
    case GgufType::boolean: return read_boolean(in, key);
    case GgufType::string: return read_gguf_string(in);
    case GgufType::array: break;
  }
  throw_unknown(type, key);
}

Metadata::Value read_gguf_array(ByteReader& in, GgufType type, std::uint64_t count, const std::string& key) {
  const auto integers = [&]<class T>(T) {
    const auto read = [&key](ByteReader& elements) { return read_integer<T>(elements, key); };
    return read_elements<Metadata::Integers>(in, count, sizeof(T), read);
  };
  const auto floats = [&]<class T>(T) {
    const auto read = [](ByteReader& elements) { return static_cast<float>(elements.read<T>()); };
    return read_elements<Metadata::Floats>(in, count, sizeof(T), read);
  };
  const auto booleans = [&] {
    const auto read = [&key](ByteReader& elements) { return read_boolean(elements, key); };
    return read_elements<Metadata::Integers>(in, count, 1, read);
  };
  switch (type) {
    case GgufType::u8: return integers(std::uint8_t{});
    case GgufType::i8: return integers(std::int8_t{});
    case GgufType::u16: return integers(std::uint16_t{});
    case GgufType::i16: return integers(std::int16_t{});
    case GgufType::u32: return integers(std::uint32_t{});
    case GgufType::i32: return integers(std::int32_t{});
    case GgufType::u64: return integers(std::uint64_t{});
    case GgufType::i64: return integers(std::int64_t{});
    case GgufType::f32: return floats(float{});
    case GgufType::f64: return floats(double{});
    case GgufType::boolean: return booleans();
    case GgufType::array:
    case GgufType::string: break;
  }
  throw_unknown(type, key);
}

}  // namespace heed::formats
