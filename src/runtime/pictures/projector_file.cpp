#include "runtime/pictures/projector_file.hpp"

#include "formats/tensor_file.hpp"
#include "models/vision/registry.hpp"
#include "nn/picture_reader.hpp"

namespace heed::runtime {
namespace {

void add_reader(Model::Parts& parts, nn::Weights& weights) {
  parts.reader = std::make_shared<nn::PictureReader>(*parts.vision, weights);
}

nn::ModelSpec spec_of(const formats::TensorFile& file, const LoadOptions&) { return models::projector_spec(file.metadata); }

}  // namespace

const FileKind kProjectorFile{spec_of, add_reader};

}  // namespace heed::runtime
