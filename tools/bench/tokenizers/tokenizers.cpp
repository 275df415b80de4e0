// Measures the speed of tokenizers: every kind of vocabulary, on prose and on texts for which a naive tokenizer takes quadratic
// time; one line of JSON each. Arguments: GGUF files whose vocabularies are measured instead of generated ones.
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "formats/gguf.hpp"
#include "language.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBytes = 1 << 20, kFewerBytes = kBytes / 16;
constexpr int kRuns = 3;
constexpr std::string_view kModels[] = {"llama", "gpt2", "t5", "bert", "clip"};

struct Speed {
  double megabytes_per_second = 0;
  std::size_t tokens = 0;
};

/// The best of several runs.
Speed measure(const tokenizer::Tokenizer& tokenizer, std::string_view text) {
  Speed speed;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = Clock::now();
    speed.tokens = tokenizer.encode(text).size();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    speed.megabytes_per_second = std::max(speed.megabytes_per_second, static_cast<double>(text.size()) / seconds / 1e6);
  }
  return speed;
}

std::string repeated(std::string_view part) {
  std::string text;
  while (text.size() + part.size() <= kBytes) text += part;
  return text;
}

void measure_all(const std::string& name, const formats::Metadata& metadata, const std::string& prose) {
  const auto start = Clock::now();
  const auto tokenizer = tokenizer::make_tokenizer(metadata);
  const double load = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  const std::pair<const char*, std::string> inputs[] = {{"prose", prose},
                                                        {"one letter", repeated("a")},
                                                        {"spaces", repeated(" ")},
                                                        {"one ideograph", repeated("\u6587")}};
  for (const auto& [input, text] : inputs) {
    const Speed fewer = measure(*tokenizer, std::string_view(text).substr(0, kFewerBytes));
    const Speed all = measure(*tokenizer, text);
    const nlohmann::ordered_json row{{"vocabulary", name},
                                     {"size", tokenizer->size()},
                                     {"loadMs", load},
                                     {"input", input},
                                     {"tokens", all.tokens},
                                     {"megabytesPerSecond", all.megabytes_per_second},
                                     {"sixteenthMegabytesPerSecond", fewer.megabytes_per_second}};
    std::puts(row.dump().c_str());
    std::fflush(stdout);
  }
}

formats::Metadata read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, "the file could not be read", path);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  return formats::read_gguf_header(std::as_bytes(std::span(bytes))).metadata;
}

}  // namespace
}  // namespace heed::bench

int main(int count, char** arguments) {
  try {
    const heed::bench::Language language;
    const std::string prose = language.text(heed::bench::kBytes);
    for (int i = 1; i < count; ++i) {
      const std::string_view path = arguments[i];
      heed::bench::measure_all(std::string(path.substr(path.rfind('/') + 1)), heed::bench::read(arguments[i]), prose);
    }
    if (count > 1) return 0;
    for (const auto model : heed::bench::kModels) {
      const std::string name(model);
      heed::bench::measure_all(name, language.vocabulary(name), prose);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
