#include "runtime/pictures/projector_file.hpp"

#include "formats/tensor_file.hpp"
#include "models/vision/registry.hpp"
#include "nn/hearing/sound_reader.hpp"
#include "nn/picture_reader.hpp"

namespace heed::runtime {
namespace {

void add_readers(Model::Parts& parts, nn::Weights& weights) {
  if (parts.vision) parts.reader = std::make_shared<nn::PictureReader>(*parts.vision, weights);
  if (parts.spec->hearing) parts.sound_reader = std::make_shared<nn::SoundReader>(*parts.spec->hearing, weights);
}

nn::ModelSpec spec_of(const formats::TensorFile& file, const LoadOptions&) { return models::projector_spec(file.metadata); }

}  // namespace

const FileKind kProjectorFile{spec_of, add_readers};

}  // namespace heed::runtime
