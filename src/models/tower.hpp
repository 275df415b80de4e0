// The towers of vision transformers, whose files have keys and tensors of their own.
#pragma once

#include <string>

#include "models/common.hpp"

namespace heed::models {

/// A pre-norm encoder with biases, of the keys that begin with `keys`, and the tensors that begin with `prefix`.
nn::StackSpec tower(const Hyperparameters& h, const std::string& keys, std::string_view prefix, nn::Mask mask,
                    kernels::Activation activation);

nn::PatchSpec patches(const Hyperparameters& h, const std::string& keys);

/// The mean and the deviation of colors; the rest of a preparation is the family's.
images::Preparation normalizing(const Hyperparameters& h, const std::string& keys);

}  // namespace heed::models
