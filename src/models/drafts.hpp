// Specs of files that draft for another model.
#pragma once

#include "models/common.hpp"

namespace heed::models {

/// The file's heads, or the whole small model in it. `has_layers`: whether the file has the layers that the metadata describe, and
/// not only the heads after them. Throws as model_spec() does, and invalid_file for what does not fit the target.
ModelSpec draft_spec(const formats::Metadata& metadata, bool has_layers, const ModelSpec& target);

/// The layers of the target whose inputs the draft model reads; for any decoder. Throws invalid_file.
nn::FeaturesSpec features(const Hyperparameters& h, const nn::StackSpec& target);
/// EAGLE-3 for any decoder.
nn::DraftSpec eagle3(const Hyperparameters& h, const nn::StackSpec& target);
/// DFlash for any decoder.
nn::DraftSpec dflash(const Hyperparameters& h, const nn::StackSpec& target);
/// The layers of Gemma 4 and of its assistants (gemma4.cpp), each with keys and values of its own.
std::vector<nn::LayerSpec> gemma4_layers(const Hyperparameters& h);
nn::DraftSpec gemma4_assistant(const Hyperparameters& h, const nn::StackSpec& target);

}  // namespace heed::models
