// Reads the blocks of IQ1, IQ2 and IQ3.
#pragma once

#include "tensor/block_fields.hpp"
#include "tensor/blocks.hpp"

namespace heed {

void read_iq2_xxs(Fields fields, BlockParts& parts) noexcept;
void read_iq2_xs(Fields fields, BlockParts& parts) noexcept;
void read_iq2_s(Fields fields, BlockParts& parts) noexcept;
void read_iq3_xxs(Fields fields, BlockParts& parts) noexcept;
void read_iq3_s(Fields fields, BlockParts& parts) noexcept;
void read_iq1_s(Fields fields, BlockParts& parts) noexcept;
void read_iq1_m(Fields fields, BlockParts& parts) noexcept;

}  // namespace heed
