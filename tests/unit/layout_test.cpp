// The rules of the source tree that a compiler does not check: which folder may include which, where the
// platform may show, and that families are specs.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "support/files.hpp"

namespace {

namespace fs = std::filesystem;
const fs::path kSource = heed::test::source_folder() / "src";

/// Folders of src/ that each may include, besides itself.
const std::map<std::string, std::set<std::string>> kBelow = {
    {"base", {}},
    {"tensor", {"base"}},
    {"formats", {"base", "tensor"}},
    {"kernels", {"base", "tensor"}},
    {"tokenizer", {"base", "formats"}},
    {"sampling", {"base", "tokenizer"}},
    {"grammar", {"base", "tokenizer"}},
    {"images", {"base"}},
    {"audio", {"base"}},
    {"nn", {"base", "tensor", "formats", "kernels", "images", "audio"}},
    {"models", {"base", "formats", "nn"}},
    {"runtime", {"base", "tensor", "formats", "kernels", "tokenizer", "sampling", "images", "audio", "nn", "models"}},
    {"engine", {"base", "tokenizer", "sampling", "grammar", "audio", "runtime"}},
};

struct SourceFile {
  std::string name;  // relative to src/, with slashes
  std::string text;

  std::string folder() const { return name.substr(0, name.find('/')); }
  bool contains(const std::string& part) const { return text.find(part) != std::string::npos; }
};

std::vector<SourceFile> sources() {
  std::vector<SourceFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(kSource)) {
    const auto extension = entry.path().extension();
    if (extension == ".hpp" || extension == ".cpp")
      files.push_back({fs::relative(entry.path(), kSource).generic_string(), heed::test::read_text(entry.path())});
  }
  REQUIRE(files.size() > 50);
  return files;
}

std::vector<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

}  // namespace

TEST_CASE("includes point one way", "[layout]") {
  for (const SourceFile& file : sources()) {
    INFO(file.name);
    const auto below = kBelow.find(file.folder());
    REQUIRE(below != kBelow.end());
    for (const std::string& included : matches(file.text, "#include \"([^\"]+)\"")) {
      INFO(included);
      CHECK(fs::exists(kSource / included));
      const std::string folder = included.substr(0, included.find('/'));
      CHECK((folder == file.folder() || below->second.contains(folder)));
    }
  }
}

TEST_CASE("no file includes itself, over others", "[layout]") {
  std::map<std::string, std::vector<std::string>> included;
  for (const SourceFile& file : sources()) included[file.name] = matches(file.text, "#include \"([^\"]+)\"");
  // Repeatedly removes files that include only removed ones; the files that are left include themselves.
  const auto includes_left = [&](const auto& file) {
    return std::ranges::any_of(file.second, [&](const std::string& name) { return included.contains(name); });
  };
  while (std::erase_if(included, [&](const auto& file) { return !includes_left(file); }) > 0) {
  }
  for (const auto& [name, others] : included) UNSCOPED_INFO(name);
  CHECK(included.empty());
}

TEST_CASE("families include only specs and metadata", "[layout]") {
  for (const SourceFile& file : sources()) {
    if (file.folder() != "models") continue;
    for (const std::string& included : matches(file.text, "#include \"([^\"]+)\"")) {
      INFO(file.name << " includes " << included);
      CHECK((included.starts_with("models/") || included == "nn/spec.hpp" || included == "formats/metadata.hpp" ||
             included.starts_with("base/")));
    }
  }
}

TEST_CASE("the platform shows only where it must", "[layout]") {
  const auto may_differ = [](const std::string& name) {
    return name.starts_with("kernels/isa/") || name == "kernels/dispatch.cpp" || name.starts_with("base/waiting.") ||
           name.starts_with("base/thread_pool.") || name == "base/zeroed_memory.cpp";
  };
  for (const SourceFile& file : sources()) {
    if (may_differ(file.name)) continue;
    INFO(file.name);
    for (const char* mark : {"__EMSCRIPTEN__", "__wasm", "emscripten", "wasm_simd128.h", "__x86_64__", "__AVX", "__SSE"})
      CHECK_FALSE(file.contains(mark));
  }
}

TEST_CASE("no kernel has an #if", "[layout]") {
  for (const SourceFile& file : sources())
    if (file.name.starts_with("kernels/generic/")) CHECK(matches(file.text, "(#\\s*if)").empty());
}

TEST_CASE("every header is guarded, and every file says what it is", "[layout]") {
  for (const SourceFile& file : sources()) {
    INFO(file.name);
    if (file.name.ends_with(".hpp")) {
      CHECK(file.text.starts_with("// "));
      CHECK(file.contains("\n#pragma once\n"));
    }
  }
}

TEST_CASE("families are short, and named in the registry alone", "[layout]") {
  std::set<std::string> names;
  for (const SourceFile& file : sources())
    if (file.name == "models/registry.cpp")
      for (const std::string& name : matches(file.text, "\\{\"([^\"]+)\", \\w+\\},")) names.insert(name);
  REQUIRE(names.contains("llama"));
  REQUIRE(names.contains("gpt2"));
  for (const SourceFile& file : sources()) {
    INFO(file.name);
    if (file.folder() == "models" && file.name != "models/registry.cpp") CHECK(std::ranges::count(file.text, '\n') <= 110);
    // GGUF also names kinds of tokenizers and types of projectors, in part with the same words
    if (file.name == "models/registry.cpp" || file.name == "models/vision/registry.cpp" || file.folder() == "tokenizer") continue;
    if (file.name == "formats/whisper_file.cpp") continue;  // it says what files of its format are
    const std::string code = std::regex_replace(file.text, std::regex("//[^\n]*"), "");
    for (const std::string& literal : matches(code, "\"([^\"\n]*)\"")) CHECK_FALSE(names.contains(literal));
  }
}
