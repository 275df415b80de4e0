#include "cli/header.hpp"

#include <fstream>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "formats/gguf.hpp"

namespace heed::cli {

formats::TensorFile read_header(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, "cannot be opened", path);
  formats::GgufHeaderReader reader;
  std::vector<char> chunk(std::size_t{64} << 10);
  while (file.read(chunk.data(), static_cast<std::streamsize>(chunk.size())), file.gcount() > 0) {
    const std::span taken(chunk.data(), static_cast<std::size_t>(file.gcount()));
    try {
      if (auto header = reader.write(std::as_bytes(taken))) return *std::move(header);
    } catch (const Error& error) {
      throw Error(error.code(), error.message(), path);
    }
  }
  if (file.bad()) throw Error(ErrorCode::io, "cannot be read", path);
  throw Error(ErrorCode::invalid_file, "the file ends inside its header", path);
}

}  // namespace heed::cli
