// Products with a caller's matrix have the bits of the plain loop, whatever the kernels, the threads and the form of the matrix.
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>

#include "engine/engine.hpp"
#include "kernels/dispatch.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "unit/runtime/chain_model.hpp"

using namespace heed;
using engine::Engine;
using test::check_throws;

namespace {

std::vector<float> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

/// Numbers are added along k, each product and each sum rounded.
std::vector<float> plain_product(const std::vector<float>& x, std::size_t rows, const std::vector<float>& matrix,
                                 std::size_t columns) {
  const std::size_t k = x.size() / rows;
  std::vector<float> products(rows * columns);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      volatile float sum = 0;
      for (std::size_t i = 0; i < k; ++i) {
        const volatile float product = x[row * k + i] * matrix[i * columns + column];
        sum = sum + product;
      }
      products[row * columns + column] = sum;
    }
  return products;
}

}  // namespace

TEST_CASE("products with a caller's matrix have the bits of the plain loop", "[engine][products]") {
  for (const kernels::Kernels* target : kernels::available())
    for (const std::size_t threads : {1u, 3u}) {
      INFO(target->name << ", " << threads << " threads");
      runtime::LoadOptions options;
      options.threads = threads;
      options.target = std::string(target->name);
      Engine engine(test::load_bytes(test::chain_model({"a", "b", "c"}), options));
      for (const auto& [rows, k, columns] :
           {std::tuple<std::size_t, std::size_t, std::size_t>{1, 1, 1}, {1, 70, 45}, {5, 33, 130}, {19, 64, 67}, {70, 300, 32}}) {
        const std::vector<float> x = random_values(rows * k, 1), matrix = random_values(k * columns, 2);
        std::vector<float> transposed(matrix.size());
        for (std::size_t i = 0; i < matrix.size(); ++i) transposed[i % columns * k + i / columns] = matrix[i];
        const std::vector<float> expected = plain_product(x, rows, matrix, columns);
        CHECK(engine.multiply(x, rows, {matrix, columns}) == expected);
        CHECK(engine.multiply(x, rows, {transposed, columns, true}) == expected);
      }
    }
}

TEST_CASE("a matrix of another size is refused", "[engine][products]") {
  Engine engine(test::load_bytes(test::chain_model({"a", "b", "c"})));
  const std::vector<float> x(12), matrix(20);
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{3, 4}, {5, 10}, {0, 5}, {24, 5}, {3, 0}})
    check_throws(ErrorCode::invalid_argument, "matrix: does not match", [&] { engine.multiply(x, rows, {matrix, columns}); });
  CHECK(engine.multiply(x, 3, {matrix, 5}).size() == 15);
}
