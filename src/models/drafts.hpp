// Specs of files that draft for another model.
#pragma once

#include "models/common.hpp"

namespace heed::models {

/// The spec of the file's heads, or of the small model in it. `has_layers`: whether the file has the layers that the metadata
/// describe, not only the heads after them. Throws as model_spec() does, and invalid_file for heads or a model that do not fit the
/// target.
ModelSpec draft_spec(const formats::Metadata& metadata, bool has_layers, const ModelSpec& target);

/// Which layers of the target, any decoder, have inputs that the draft model reads. Throws invalid_file.
nn::FeaturesSpec features(const Hyperparameters& h, const nn::StackSpec& target);
/// EAGLE-3 with any decoder as its target.
nn::DraftSpec eagle3(const Hyperparameters& h, const nn::StackSpec& target);
/// DFlash with any decoder as its target.
nn::DraftSpec dflash(const Hyperparameters& h, const nn::StackSpec& target);
/// The layers of Gemma 4 and of its assistants (gemma4.cpp), each with its own keys and values.
std::vector<nn::LayerSpec> gemma4_layers(const Hyperparameters& h);
nn::DraftSpec gemma4_assistant(const Hyperparameters& h, const nn::StackSpec& target);

}  // namespace heed::models
