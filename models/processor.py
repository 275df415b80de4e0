"""What the processor can do that libraries do not find out by themselves. Import it before PyTorch."""

import os
from pathlib import Path

_CPU_INFO = Path("/proc/cpuinfo")
_FLAGS = _CPU_INFO.read_text() if _CPU_INFO.exists() else ""

MULTIPLIES_BFLOAT16 = "avx512_bf16" in _FLAGS

# OpenBLAS takes an AMD processor that is newer than itself for one without AVX-512, which halves the speed of products.
if "AuthenticAMD" in _FLAGS and "avx512f" in _FLAGS:
    os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
