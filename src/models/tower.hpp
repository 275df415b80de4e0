// The towers of vision transformers, whose files have keys and tensors of their own.
#pragma once

#include <string>

#include "models/common.hpp"

namespace heed::models {

/// A pre-norm encoder with biases. keys, prefix: what the names of its keys and of its tensors begin with.
nn::StackSpec tower(const Hyperparameters& h, const std::string& keys, std::string_view prefix, nn::Mask mask,
                    kernels::Activation activation);

nn::PatchSpec patches(const Hyperparameters& h, const std::string& keys);

/// A preparation with the mean and the deviation of colors; the family sets the rest.
images::Preparation normalizing(const Hyperparameters& h, const std::string& keys);

}  // namespace heed::models
