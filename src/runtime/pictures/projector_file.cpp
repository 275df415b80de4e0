#include "runtime/pictures/projector_file.hpp"

#include "models/vision/registry.hpp"
#include "nn/picture_reader.hpp"

namespace heed::runtime {
namespace {

void add_reader(Model::Parts& parts, nn::Weights& weights) {
  parts.reader = std::make_shared<nn::PictureReader>(*parts.vision, weights);
}

}  // namespace

const FileKind kProjectorFile{models::projector_spec, add_reader};

}  // namespace heed::runtime
