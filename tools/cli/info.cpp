// heed info: the contents of a model file's header.
#include <filesystem>
#include <memory>
#include <system_error>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/header.hpp"
#include "cli/output.hpp"
#include "formats/tensor_file.hpp"

namespace heed::cli {
namespace {

std::uint64_t size_of(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) throw Error(ErrorCode::io, error.message(), path);
  return bytes;
}

// Long arrays, such as vocabularies, are shown as their length and their first values.
template <class T>
Json describe(const std::vector<T>& values) {
  constexpr std::size_t kShown = 8;
  if (values.size() <= kShown) return values;
  return {{"count", values.size()}, {"first", std::vector<T>(values.begin(), values.begin() + kShown)}};
}
template <class T>
Json describe(const T& value) {
  return value;
}

Json describe(const formats::TensorInfo& tensor) {
  return {{"name", tensor.name},
          {"dtype", info(tensor.dtype).name},
          {"shape", tensor.shape},
          {"bytes", tensor.bytes},
          {"offset", tensor.offset}};
}

std::uint64_t values_of(const formats::TensorInfo& tensor) {
  const auto& type = info(tensor.dtype);
  return tensor.bytes / type.block_bytes * type.block_values;
}

Json describe(const std::string& path, const formats::TensorFile& file) {
  Json json = {{"file", path}, {"fileBytes", size_of(path)}, {"format", file.format}};
  json["architecture"] = file.metadata.text("general.architecture", "");
  std::uint64_t parameters = 0;
  Json totals = Json::object();
  for (const auto& type : kDTypes) {
    std::uint64_t tensors = 0, values = 0, bytes = 0;
    for (const auto& tensor : file.tensors) {
      if (tensor.dtype != type.dtype) continue;
      ++tensors;
      values += values_of(tensor);
      bytes += tensor.bytes;
    }
    if (tensors > 0) totals[std::string(type.name)] = {{"tensors", tensors}, {"parameters", values}, {"bytes", bytes}};
    parameters += values;
  }
  json["parameters"] = parameters;
  json["totals"] = std::move(totals);
  Json::object_t metadata;  // appended to: looking up each key would take quadratic time
  for (const auto& [key, value] : file.metadata.values())
    metadata.push_back({key, std::visit([](const auto& held) { return describe(held); }, value)});
  json["metadata"] = std::move(metadata);
  json["tensors"] = Json::array();
  for (const auto& tensor : file.tensors) json["tensors"].push_back(describe(tensor));
  return json;
}

}  // namespace

void add_info(CLI::App& program) {
  auto* command = program.add_subcommand("info", "Describes a model file, as JSON");
  auto path = std::make_shared<std::string>();
  command->add_option("MODEL", *path, "A GGUF file; npx heed also takes a URL or hf:OWNER/REPOSITORY:Q4_K_M")
      ->required()
      ->option_text("FILE");
  command->callback([path] {
    const auto file = read_header(*path);
    file.require_bytes(size_of(*path));
    print_json(describe(*path, file));
  });
}

}  // namespace heed::cli
