// Checks the sizes in files against bounds, so that no later computation of a size can overflow.
#pragma once

#include <string>
#include <utility>

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

/// Throws invalid_file, naming the key, for a size that is out of range or inconsistent with others.
void check(const nn::ModelSpec& spec, const Hyperparameters& h);

/// Checks the sizes of blocks. Errors name the keys in the metadata.
class Check {
 public:
  /// `tower`: what the tower's keys begin with, in files with two towers.
  explicit Check(const Hyperparameters& h, std::string tower = "") : h_(h), tower_(std::move(tower)) {}

  void operator()(const nn::AttentionSpec& spec) const;
  void operator()(const nn::LatentAttentionSpec& spec) const;
  void operator()(const nn::ShortConvolutionSpec& spec) const;
  void operator()(const nn::GatedDeltaNetSpec& spec) const;
  void operator()(const nn::Mamba2Spec& spec) const;
  void operator()(const nn::MlpSpec& spec) const;
  void operator()(const nn::ExpertsSpec& spec) const;
  void operator()(const nn::PerLayerInputSpec& spec) const;
  void operator()(const nn::LaurelSpec& spec) const;
  void operator()(const nn::MatrixSpec&) const {}
  void operator()(const nn::MambaSpec& spec) const;
  void operator()(const nn::RwkvTimeMixSpec& spec) const;
  void operator()(const nn::RwkvChannelMixSpec& spec) const;
  void operator()(const nn::KimiDeltaSpec& spec) const;

  void require(bool right, std::string_view key, const std::string& message) const {
    if (!right) throw Error(ErrorCode::invalid_file, message, h_.full(tower_ + std::string(key)));
  }
  void within(std::size_t n, std::size_t most, std::string_view key) const {
    require(n > 0 && n <= most, key, "must be from 1 to " + std::to_string(most));
  }

 private:
  void rope(const nn::RopeSpec& spec, std::size_t most, const std::string& suffix = "") const;

  const Hyperparameters& h_;
  std::string tower_;
};

void check_stack(const nn::StackSpec& spec, const Check& check);

}  // namespace heed::models
