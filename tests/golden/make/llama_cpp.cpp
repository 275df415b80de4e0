// The results of llama.cpp for a model or a weight format: floats, little-endian, on standard output. llama_cpp logits MODEL
// CONTEXT TOKENS [DECODER_TOKENS]     T x V llama_cpp none|mean|cls|last MODEL CONTEXT TOKENS          an encoder's output, or a
// decoder's, T x D, or pooled, D llama_cpp quantize TYPE ROWS COLUMNS                       floats on standard input to stored rows
// llama_cpp values TYPE ROWS COLUMNS                         and back Built by hand where references are made: g++ -std=c++20
// llama_cpp.cpp -lllama -lggml -lggml-base (llama.cpp 0.7.0).
#include <ggml-backend.h>
#include <ggml.h>
#include <llama.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Tokens = std::vector<llama_token>;
using Model = std::unique_ptr<llama_model, decltype(&llama_model_free)>;
using Context = std::unique_ptr<llama_context, decltype(&llama_free)>;

void require(bool right, const std::string& what) {
  if (!right) throw std::runtime_error(what);
}

Tokens parse(const std::string& text) {
  Tokens tokens;
  std::istringstream list(text);
  for (std::string id; std::getline(list, id, ',');) tokens.push_back(std::stoi(id));
  return tokens;
}

void write(const void* data, std::size_t bytes) { require(std::fwrite(data, 1, bytes, stdout) == bytes, "cannot write"); }

template <class T>
std::vector<T> read(std::size_t count) {
  std::vector<T> values(count);
  require(std::fread(values.data(), sizeof(T), count, stdin) == count, "too little input");
  return values;
}

Model load(const std::string& path) {
  llama_model_params params = llama_model_default_params();
  params.use_extra_bufts = false;  // weights as they are stored
  Model model(llama_model_load_from_file(path.c_str(), params), llama_model_free);
  require(model != nullptr, path + " was not loaded");
  return model;
}

/// One thread, keys and values in f32, no flash attention.
Context make_context(llama_model* model, unsigned size, enum llama_pooling_type pooling, bool embeddings) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = params.n_batch = params.n_ubatch = size;
  params.n_threads = params.n_threads_batch = 1;
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.type_k = params.type_v = GGML_TYPE_F32;
  params.pooling_type = pooling;
  params.embeddings = embeddings;
  Context context(llama_init_from_model(model, params), llama_free);
  require(context != nullptr, "no context");
  return context;
}

llama_batch batch_of(const Tokens& tokens) {
  llama_batch batch = llama_batch_init(static_cast<int>(tokens.size()), 0, 1);
  batch.n_tokens = static_cast<int>(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    batch.token[i] = tokens[i];
    batch.pos[i] = static_cast<llama_pos>(i);
    batch.n_seq_id[i] = 1;
    batch.seq_id[i][0] = 0;
    batch.logits[i] = 1;
  }
  return batch;
}

void write_logits(llama_model* model, unsigned size, const Tokens& tokens, const Tokens& decoder_tokens) {
  const Context context = make_context(model, size, LLAMA_POOLING_TYPE_NONE, false);
  if (!decoder_tokens.empty()) require(llama_encode(context.get(), batch_of(tokens)) == 0, "not encoded");
  const Tokens& decoded = decoder_tokens.empty() ? tokens : decoder_tokens;
  require(llama_decode(context.get(), batch_of(decoded)) == 0, "not decoded");
  const int vocabulary = llama_vocab_n_tokens(llama_model_get_vocab(model));
  for (std::size_t i = 0; i < decoded.size(); ++i)
    write(llama_get_logits_ith(context.get(), static_cast<int>(i)), sizeof(float) * static_cast<std::size_t>(vocabulary));
}

void write_encoded(llama_model* model, unsigned size, const Tokens& tokens, enum llama_pooling_type pooling) {
  const Context context = make_context(model, size, pooling, true);
  const auto run = llama_get_memory(context.get()) ? llama_decode : llama_encode;  // a decoder's output is as good
  require(run(context.get(), batch_of(tokens)) == 0, "not encoded");
  const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(llama_model_n_embd(model));
  if (pooling != LLAMA_POOLING_TYPE_NONE) return write(llama_get_embeddings_seq(context.get(), 0), bytes);
  for (std::size_t i = 0; i < tokens.size(); ++i) write(llama_get_embeddings_ith(context.get(), static_cast<int>(i)), bytes);
}

ggml_type type_of(const std::string& name) {
  for (int type = 0; type < GGML_TYPE_COUNT; ++type)
    if (name == ggml_type_name(static_cast<ggml_type>(type))) return static_cast<ggml_type>(type);
  throw std::runtime_error("no type " + name);
}

void write_rows(ggml_type type, std::size_t rows, std::size_t columns, bool quantize) {
  const std::size_t bytes = rows * ggml_row_size(type, static_cast<std::int64_t>(columns));
  if (quantize) {
    const auto values = read<float>(rows * columns);
    std::vector<std::byte> stored(bytes);
    const std::vector<float> importance(columns, 1.0f);  // which some types must be given
    ggml_quantize_chunk(type, values.data(), stored.data(), 0, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns),
                        ggml_quantize_requires_imatrix(type) ? importance.data() : nullptr);
    write(stored.data(), stored.size());
  } else {
    const auto stored = read<std::byte>(bytes);
    std::vector<float> values(rows * columns);
    ggml_get_type_traits(type)->to_float(stored.data(), values.data(), static_cast<std::int64_t>(values.size()));
    write(values.data(), values.size() * sizeof(float));
  }
}

void run(const std::vector<std::string>& arguments) {
  require(arguments.size() >= 4, "too few arguments");
  const std::string& command = arguments[0];
  if (command == "quantize" || command == "values")
    return write_rows(type_of(arguments[1]), std::stoul(arguments[2]), std::stoul(arguments[3]), command == "quantize");
  const Model model = load(arguments[1]);
  const auto size = static_cast<unsigned>(std::stoul(arguments[2]));
  const Tokens tokens = parse(arguments[3]);
  if (command == "logits") return write_logits(model.get(), size, tokens, arguments.size() > 4 ? parse(arguments[4]) : Tokens());
  constexpr const char* kPoolings[] = {"none", "mean", "cls", "last"};
  for (int pooling = 0; pooling < 4; ++pooling)
    if (command == kPoolings[pooling])
      return write_encoded(model.get(), size, tokens, static_cast<enum llama_pooling_type>(pooling));
  require(false, "no command " + command);
}

}  // namespace

int main(int count, char** arguments) {
  const auto log = [](ggml_log_level level, const char* text, void*) {
    if (level == GGML_LOG_LEVEL_ERROR) std::fputs(text, stderr);
  };
  llama_log_set(log, nullptr);
  ggml_backend_load_all();
  try {
    run({arguments + 1, arguments + count});
    return std::fflush(stdout);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
