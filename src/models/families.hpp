// Every family: a function from metadata to a spec, one file each. registry.cpp gives them their names.
#pragma once

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

nn::DecoderSpec llama(const Hyperparameters& h);
nn::DecoderSpec gpt2(const Hyperparameters& h);

}  // namespace heed::models
