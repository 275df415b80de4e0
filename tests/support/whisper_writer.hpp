// Small Whisper models in whisper.cpp's format, with random weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sampling/random.hpp"

namespace heed::test {

struct WhisperTensor {
  std::string name;
  std::uint32_t type = 0;
  std::vector<std::uint32_t> sizes;  // the fastest axis first
  std::vector<std::byte> data;
};

class WhisperWriter {
 public:
  std::uint32_t vocabulary = 51864, positions = 20, width = 16, heads = 2, layers = 1, text_positions = 448, bands = 8, kind = 0;
  std::uint32_t magic = 0x67676d6c;
  std::vector<std::string> words = default_words();

  /// The tensors in the order of whisper.cpp's converter, which `change` may alter.
  std::vector<std::byte> finish(const std::function<void(std::vector<WhisperTensor>&)>& change = {}) {
    std::vector<std::byte> file;
    put(file, magic);
    for (const std::uint32_t size :
         {vocabulary, positions, width, heads, layers, text_positions, width, heads, layers, bands, kind, bands, 201u})
      put(file, size);
    for (std::uint32_t i = 0; i < bands * 201; ++i) put(file, i % 201 / 25 == i / 201 ? 0.02f : 0.0f);
    put(file, static_cast<std::uint32_t>(words.size()));
    for (const std::string& word : words) put(file, word);
    tensors_.clear();
    make();
    if (change) change(tensors_);
    for (const WhisperTensor& tensor : tensors_) {
      put(file, static_cast<std::uint32_t>(tensor.sizes.size()));
      put(file, static_cast<std::uint32_t>(tensor.name.size()));
      put(file, tensor.type);
      for (const std::uint32_t size : tensor.sizes) put(file, size);
      for (const char c : tensor.name) file.push_back(static_cast<std::byte>(c));
      file.insert(file.end(), tensor.data.begin(), tensor.data.end());
    }
    return file;
  }

 private:
  static std::vector<std::string> default_words() {
    std::vector<std::string> words;
    for (int byte = 1; byte < 256; ++byte) words.emplace_back(1, static_cast<char>(byte));
    for (const char* word : {" the", " fox", " sleeps", "ox", "fo", " f"}) words.emplace_back(word);
    return words;
  }

  template <class T>
  static void put(std::vector<std::byte>& file, T value) {
    const auto* from = reinterpret_cast<const std::byte*>(&value);
    file.insert(file.end(), from, from + sizeof value);
  }
  static void put(std::vector<std::byte>& file, const std::string& word) {
    put(file, static_cast<std::uint32_t>(word.size()));
    for (const char c : word) file.push_back(static_cast<std::byte>(c));
  }

  void add(std::string name, std::vector<std::uint32_t> sizes, float scale, float mean = 0) {
    WhisperTensor& tensor = tensors_.emplace_back(WhisperTensor{std::move(name), 0, std::move(sizes), {}});
    std::size_t count = 1;
    for (const std::uint32_t size : tensor.sizes) count *= size;
    for (std::size_t i = 0; i < count; ++i) put(tensor.data, mean + scale * static_cast<float>(random_.uniform() * 2 - 1));
  }
  void norm(const std::string& name) {
    add(name + ".weight", {width}, 0.1f, 1);
    add(name + ".bias", {width}, 0.1f);
  }
  void linear(const std::string& name, std::uint32_t rows, std::uint32_t columns, bool biased = true) {
    add(name + ".weight", {columns, rows}, 0.5f);
    if (biased) add(name + ".bias", {rows}, 0.1f);
  }
  void attention(const std::string& name) {
    for (const char* part : {".query", ".key", ".value", ".out"})
      linear(name + part, width, width, std::string_view(part) != ".key");
  }
  void block(const std::string& name, bool crossed) {
    linear(name + "mlp.0", 4 * width, width);
    linear(name + "mlp.2", width, 4 * width);
    norm(name + "mlp_ln");
    attention(name + "attn");
    norm(name + "attn_ln");
    if (!crossed) return;
    attention(name + "cross_attn");
    norm(name + "cross_attn_ln");
  }
  void make() {
    add("decoder.positional_embedding", {width, text_positions}, 0.1f);
    add("encoder.positional_embedding", {width, positions}, 0.1f);
    add("decoder.token_embedding.weight", {width, vocabulary}, 0.5f);
    for (std::uint32_t i = 0; i < layers; ++i) block("decoder.blocks." + std::to_string(i) + ".", true);
    norm("decoder.ln");
    add("encoder.conv1.weight", {3, bands, width}, 0.3f);
    add("encoder.conv1.bias", {1, width}, 0.1f);
    add("encoder.conv2.weight", {3, width, width}, 0.3f);
    add("encoder.conv2.bias", {1, width}, 0.1f);
    for (std::uint32_t i = 0; i < layers; ++i) block("encoder.blocks." + std::to_string(i) + ".", false);
    norm("encoder.ln_post");
  }

  std::vector<WhisperTensor> tensors_;
  sampling::Random random_{7};
};

}  // namespace heed::test
