// Writes the initial inputs for fuzzing: FOLDER/model has a model of every family, FOLDER/session a session of each model that
// session_fuzz.cpp restores, FOLDER/tokenizer some texts, FOLDER/engine random calls, FOLDER/regex regular expressions and texts,
// FOLDER/schema schemas and texts, FOLDER/constraint grammars and the tokens of a text, FOLDER/changes an adapter, a control vector
// and a plan of edits for each model of changes_fuzz.cpp, FOLDER/projector the header of an mmproj file of every type,
// FOLDER/picture random images for each of these, FOLDER/family and FOLDER/draft changes of files, FOLDER/whisper models of whisper.cpp
// without their weights, FOLDER/sound short WAV files.
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>

#include "formats/gguf.hpp"
#include "fuzz/session_models.hpp"
#include "fuzz/small_projectors.hpp"
#include "runtime/session.hpp"
#include "support/tokens.hpp"
#include "support/whisper_writer.hpp"
#include "unit/runtime/changes/random_adapter.hpp"
#include "unit/runtime/pictures/projector_model.hpp"

using namespace heed;

namespace {

void write(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  for (const std::string architecture : test::kArchitectures)
    write(folder / "model" / architecture, test::family_model(architecture));

  char index = 0;
  for (const test::SessionModel& model : test::session_models()) {
    runtime::Session session(*model.workspace);
    session.tokens = test::some_tokens(20);
    session.sequence.forward(session.tokens, {});
    std::vector<std::byte> bytes = session.save();
    bytes.insert(bytes.begin(), static_cast<std::byte>(index));
    write(folder / "session" / std::to_string(index++), bytes);
  }

  std::mt19937 random(1);
  const auto random_bytes = [&](std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % 256);
    return bytes;
  };
  for (std::size_t family = 0; family < std::size(test::kArchitectures); ++family) {
    std::vector<std::byte> plan(4);  // nothing changed
    plan[0] = static_cast<std::byte>(family);
    write(folder / "family" / test::kArchitectures[family], plan);
  }
  for (const char* name : {"family", "draft"})
    for (int seed = 0; seed < 64; ++seed) write(folder / name / std::to_string(seed), random_bytes(40));
  for (char pair = 0; pair < 10; ++pair) write(folder / "draft" / ("plain" + std::to_string(pair)), std::vector{std::byte(pair)});

  for (const auto& [layers, vocabulary] : {std::pair{1u, 51864u}, {1u, 51865u}, {2u, 51866u}}) {
    test::WhisperWriter whisper;
    whisper.width = 4;
    whisper.layers = layers;
    whisper.bands = 2;
    whisper.positions = 8;
    whisper.text_positions = 20;
    whisper.vocabulary = vocabulary;
    const auto bare = [](std::vector<test::WhisperTensor>& tensors) {
      for (test::WhisperTensor& tensor : tensors) tensor.data.clear();  // added by the fuzzer
    };
    write(folder / "whisper" / std::to_string(vocabulary), whisper.finish(bare));
  }
  for (std::uint16_t bytes = 1; bytes <= 4; ++bytes)
    for (const std::uint16_t channels : {std::uint16_t{1}, std::uint16_t{2}}) {
      test::ByteWriter file;
      const auto name = [&](std::string_view text) { file.append(std::as_bytes(std::span(text))); };
      const std::uint32_t size = bytes * channels * 40u;
      name("RIFF");
      file.put(size + 36u);
      name("WAVEfmt ");
      file.put(16u).put(std::uint16_t{1}).put(channels).put(8000u).put(8000u * bytes * channels);
      file.put(static_cast<std::uint16_t>(bytes * channels)).put(static_cast<std::uint16_t>(bytes * 8));
      name("data");
      file.put(size).append(random_bytes(size));
      write(folder / "sound" / (std::to_string(bytes) + "-" + std::to_string(channels)), file.bytes());
    }

  index = 0;
  for (const std::string text :
       {"a ab aba", "  12 <|a|> <c>", "\xC3\xA9\xE6\x96\x87\xFF", "Hello, World!\r\n\n 3.14", "don't STOP\t"})
    for (char kind = 0; kind < 14; ++kind) {
      const std::string seed = std::string{kind, '\3'} + text;
      write(folder / "tokenizer" / std::to_string(static_cast<int>(index++)), std::as_bytes(std::span(seed)));
    }

  index = 0;
  for (const std::string pattern : {"^[a-z]{2,5}(?:-\\d+)*$", "(a|a)*b|\\p{Lu}", "(?=.*\\d)(?!.*--)[^\"]{3,}", "\\bx\\u{1F600}\\B",
                                    "(?:^|,)(?<n>[\\w.]+?)(?:,|$)"})
    for (char options = 0; options < 6; ++options) {
      const std::string seed = std::string{options, static_cast<char>(pattern.size())} + pattern + "ab-12,x\xF0\x9F\x98\x80";
      write(folder / "regex" / std::to_string(static_cast<int>(index++)), std::as_bytes(std::span(seed)));
    }

  index = 0;
  for (
      const std::string schema :
      {R"({"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "required": ["a"], "$defs": {"x": {"type": "integer", "minimum": 3}}})",
       R"({"oneOf": [{"const": [1, {"b": null}]}, {"type": "array", "items": {"pattern": "^a+$"}, "uniqueItems": true}]})",
       R"({"not": {"required": ["a"]}, "patternProperties": {"^x": {"maxLength": 3}}, "unevaluatedProperties": {"format": "date"}})",
       R"({"if": {"multipleOf": 0.5}, "then": {"enum": [1, 2.50]}, "contains": {"type": "string"}, "maxContains": 2, "minItems": 1})"})
    for (char options = 0; options < 6; ++options) {
      const std::string seed = static_cast<char>(options * 7) + schema + '\0' + R"({"a": 5, "x1": "abc"})";
      write(folder / "schema" / std::to_string(static_cast<int>(index++)), std::as_bytes(std::span(seed)));
    }

  index = 0;
  for (const auto& [grammar, text] : {
           std::pair{"root ::= \"yes\" | \"no\" # one of two", "no"},
           {"root ::= [a-z]+ (\"-\" [0-9]{2,3})*", "ab-12-345"},
           {"root ::= list\nlist ::= \"(\" (list | [^()])* \")\"", "(a(b)c)"},
           {R"g(root ::= item ("," item){0,2} .?
                item ::= "\"" [^"\x00-\x1F]* "\"" | [1-9] [0-9]*)g",
            "\"ab\",12"},
           {"root ::= sum\nsum ::= sum \"+\" term | term\nterm ::= \"a\" | \"(\" sum \")\"", "a+(a+a)"},
           {R"g(root ::= a b? "\u00E9"
                a ::= "ab" | "aba" |
                b ::= [\u0391-\u03C9])g",
            "aba\xCE\xB1\xC3\xA9"},
       })
    for (const std::string after : {"", "\xF3z\xF1"}) {  // and then tokens are taken back
      const std::string seed = std::string(grammar) + '\0' + text + after;
      write(folder / "constraint" / std::to_string(static_cast<int>(index++)), std::as_bytes(std::span(seed)));
    }

  index = 0;
  for (const std::string architecture : {"llama", "gemma2", "deepseek2", "qwen35", "gpt2", "granitehybrid"}) {
    const auto model = test::load_bytes(test::family_model(architecture));
    const auto write_change = [&](int kind, std::vector<std::byte> bytes) {
      bytes.insert(bytes.begin(), static_cast<std::byte>(index * 3 + kind));
      write(folder / "changes" / (architecture + std::to_string(kind)), bytes);
    };
    write_change(0, test::adapter_file(architecture, test::random_factors(*model, 2, 5), 4.0f, {5, 7}));
    test::GgufWriter vector;
    vector.set("general.architecture", "controlvector");
    const std::vector<std::size_t> shape = {model->info().width};
    vector.tensor("direction.1", shape, std::vector<float>(shape[0], 0.5f));
    write_change(1, vector.finish());
    std::mt19937 plan(index++);
    std::vector<std::byte> bytes(120);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(plan() % 64);
    write_change(2, bytes);
  }

  for (int seed = 0; seed < 64; ++seed) write(folder / "engine" / std::to_string(seed), random_bytes(400));

  for (std::size_t type = 0; type < std::size(test::kProjectorTypes); ++type) {
    const std::string name = test::kProjectorTypes[type];
    std::vector<std::byte> file = test::projector_model(test::small_projector(name));
    formats::GgufHeaderReader reader;
    reader.write(file);
    file.resize(static_cast<std::size_t>(reader.header_bytes()));
    write(folder / "projector" / name, file);
    for (int seed = 0; seed < 6; ++seed) {
      std::vector<std::byte> picture = random_bytes(300);
      picture[0] = static_cast<std::byte>(type);
      write(folder / "picture" / (name + std::to_string(seed)), picture);
    }
  }
}
