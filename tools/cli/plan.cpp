#include "cli/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "cli/output.hpp"

namespace heed::cli {
namespace {

using Kind = runtime::Edit::Kind;
using Tokens = std::vector<tokenizer::TokenId>;

/// The fields of one op. Every field must be read: an unread one is a mistake.
class Op {
 public:
  Op(const Json& json, std::size_t index) : json_(json), where_("ops[" + std::to_string(index) + "]") {
    if (!json.is_object()) refuse("", "must be an object");
  }

  const Json* find(const char* name) {
    read_.push_back(name);
    const auto at = json_.find(name);
    return at == json_.end() ? nullptr : &*at;
  }
  const Json& require(const char* name) {
    if (const Json* value = find(name)) return *value;
    refuse(name, "is missing");
  }
  template <class Integer>
  Integer integer(const char* name) {
    return integer_of<Integer>(require(name), name);
  }
  float number(const char* name) { return number_of(require(name), name); }
  float number(const char* name, float fallback) { return find(name) ? number(name) : fallback; }
  std::vector<float> numbers(const char* name) {
    std::vector<float> numbers;
    for (const Json& value : list(name)) numbers.push_back(number_of(value, name));
    return numbers;
  }
  template <class Integer>
  std::vector<Integer> integers(const char* name) {
    std::vector<Integer> integers;
    for (const Json& value : list(name)) integers.push_back(integer_of<Integer>(value, name));
    return integers;
  }
  std::optional<std::vector<std::uint32_t>> positions() {
    const Json* value = find("positions");
    if (!value || *value == "all") return std::nullopt;
    return integers<std::uint32_t>("positions");
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const Json& edge : list("edges")) {
      if (!edge.is_array() || edge.size() != 2) refuse("edges", "must be pairs of a query and a key");
      edges.emplace_back(integer_of<std::uint32_t>(edge[0], "edges"), integer_of<std::uint32_t>(edge[1], "edges"));
    }
    return edges;
  }
  void require_all_read() const {
    for (const auto& [name, value] : json_.items())
      if (std::ranges::find(read_, name) == read_.end()) refuse(name, "is not a field of this op");
  }
  [[noreturn]] void refuse(const std::string& field, const std::string& what) const {
    throw Error(ErrorCode::invalid_argument, what, where_ + (field.empty() ? "" : "." + field));
  }

 private:
  const Json& list(const char* name) {
    const Json& value = require(name);
    if (!value.is_array()) refuse(name, "must be a list");
    return value;
  }
  template <class Integer>
  Integer integer_of(const Json& value, const char* name) const {
    if (!value.is_number_integer()) refuse(name, "must be an integer");
    const bool fits = value.is_number_unsigned() ? std::in_range<Integer>(value.get<std::uint64_t>())
                                                 : std::in_range<Integer>(value.get<std::int64_t>());
    if (!fits) refuse(name, value.dump() + " is out of range");
    return value.get<Integer>();
  }
  float number_of(const Json& value, const char* name) const {
    if (!value.is_number()) refuse(name, "must be a number");
    const double number = value.get<double>();
    if (!(std::abs(number) <= static_cast<double>(std::numeric_limits<float>::max()))) refuse(name, "must be finite as a float");
    return static_cast<float>(number);
  }

  const Json& json_;
  std::string where_;
  std::vector<std::string> read_;
};

void read_all(engine::DecoderRun& run, const Tokens& tokens) {
  for (std::span left(tokens); !left.empty();) {
    const auto next = left.first(std::min(runtime::kMaxBatch, left.size()));
    run.forward(next, 0);
    left = left.subspan(next.size());
  }
}

/// The state after a layer at one position of an unmodified text.
std::vector<float> state_of(engine::Engine& engine, const Tokens& tokens, std::int32_t layer, std::uint32_t position) {
  engine::DecoderRun run = engine.read();
  run.watch(runtime::state_requests(engine.model(), {{layer}, {position}}), tokens.size());
  read_all(run, tokens);
  return {run.watched().begin(), run.watched().end()};
}

/// The average of a head's output over an unmodified text.
std::vector<float> mean_of_head(engine::Engine& engine, const Tokens& tokens, std::uint32_t layer, std::uint32_t head) {
  engine::DecoderRun run = engine.read();
  run.watch(runtime::head_requests(engine.model(), layer), tokens.size());
  read_all(run, tokens);
  const auto shape = run.recorded()->shape(0);  // tokens x heads x numbers
  if (head >= shape[1])
    throw Error(ErrorCode::invalid_argument,
                std::to_string(head) + " is out of range: the layer has " + std::to_string(shape[1]) + " heads", "head");
  std::vector<float> mean(shape[2]);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    double sum = 0;
    for (std::size_t t = 0; t < shape[0]; ++t) sum += static_cast<double>(run.watched()[(t * shape[1] + head) * shape[2] + i]);
    mean[i] = static_cast<float>(sum / static_cast<double>(shape[0]));
  }
  return mean;
}

Tokens tokens_of(Op& op) {
  auto tokens = op.integers<tokenizer::TokenId>("tokens");
  if (tokens.empty()) op.refuse("tokens", "must have at least one token");
  return tokens;
}

runtime::Edit read_op(Op op, engine::Engine& engine) {
  const Json& json = op.require("op");
  const std::string name = json.is_string() ? json.get<std::string>() : "";
  runtime::Edit edit;
  edit.layer = op.integer<std::int32_t>("layer");
  if (name == "add") {
    edit = {.layer = edit.layer, .positions = op.positions(), .vector = op.numbers("vector"), .factor = op.number("scale", 1)};
  } else if (name == "replace") {
    edit = {.kind = Kind::replace, .layer = edit.layer, .positions = op.positions(), .vector = op.numbers("vector")};
  } else if (name == "patch") {
    edit.kind = Kind::replace;
    edit.positions = {op.integer<std::uint32_t>("position")};
    edit.vector = state_of(engine, tokens_of(op), edit.layer, op.integer<std::uint32_t>("from"));
  } else if (name == "scale-head" || name == "set-head" || name == "mean-head") {
    edit.kind = name == "scale-head" ? Kind::scale : Kind::replace;
    edit.point = nn::Point::head;
    edit.head = op.integer<std::uint32_t>("head");
    edit.positions = op.positions();
    if (name == "scale-head") edit.factor = op.number("factor");
    if (name == "set-head") edit.vector = op.numbers("vector");
    if (name == "mean-head") edit.vector = mean_of_head(engine, tokens_of(op), op.integer<std::uint32_t>("layer"), *edit.head);
  } else if (name == "cut") {
    edit.kind = Kind::cut;
    if (op.require("head") != "all") edit.head = op.integer<std::uint32_t>("head");
    edit.edges = op.edges();
  } else {
    op.refuse("op", json.dump() + " is not add, replace, patch, scale-head, set-head, mean-head or cut");
  }
  op.require_all_read();
  return edit;
}

}  // namespace

std::vector<runtime::Edit> read_plan(const std::string& path, engine::Engine& engine) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, "cannot be opened", path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const Json plan = Json::parse(text, nullptr, false);
  if (plan.is_discarded()) throw Error(ErrorCode::invalid_argument, "is not JSON", path);
  if (!plan.is_object() || !plan.contains("ops") || !plan["ops"].is_array() || plan.size() != 1)
    throw Error(ErrorCode::invalid_argument, "must be an object with a list of ops, and nothing else", path);
  std::vector<runtime::Edit> edits;
  for (const Json& op : plan["ops"]) edits.push_back(read_op(Op(op, edits.size()), engine));
  return edits;
}

}  // namespace heed::cli
