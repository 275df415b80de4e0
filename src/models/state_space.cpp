// Reads the description of recurrent blocks in files: the ssm.* keys.
#include "models/common.hpp"

namespace heed::models {
namespace {

/// ssm.inner_size / heads.
std::size_t head_dim(const Hyperparameters& h, std::size_t heads) {
  const std::size_t inner = h.count("ssm.inner_size");
  if (heads == 0 || inner % heads != 0)
    throw Error(ErrorCode::invalid_file, "must be a multiple of ssm.time_step_rank, which must not be 0", h.full("ssm.inner_size"));
  return inner / heads;
}

}  // namespace

nn::GatedDeltaNetSpec gated_delta_net(const Hyperparameters& h) {
  nn::GatedDeltaNetSpec spec;
  spec.taps = h.count("ssm.conv_kernel");
  spec.key_heads = h.count("ssm.group_count");
  spec.heads = h.count("ssm.time_step_rank");
  spec.key_dim = h.count("ssm.state_size");
  spec.value_dim = head_dim(h, spec.heads);
  spec.norm = rms_norm(h);
  return spec;
}

nn::MambaSpec mamba_block(const Hyperparameters& h) {
  nn::MambaSpec spec;
  spec.taps = h.count("ssm.conv_kernel");
  spec.heads = h.count("ssm.inner_size");  // each has one channel
  spec.state = h.count("ssm.state_size");
  spec.rank = h.count("ssm.time_step_rank");
  spec.norm = rms_norm(h);
  spec.normed = h.flag("ssm.dt_b_c_rms", false);
  return spec;
}

nn::Mamba2Spec mamba2_block(const Hyperparameters& h) {
  nn::Mamba2Spec spec;
  spec.taps = h.count("ssm.conv_kernel");
  spec.heads = h.count("ssm.time_step_rank");
  spec.head_dim = head_dim(h, spec.heads);
  spec.groups = h.count("ssm.group_count");
  spec.state = h.count("ssm.state_size");
  spec.norm = rms_norm(h);
  return spec;
}

}  // namespace heed::models
