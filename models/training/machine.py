"""What the machine can do that libraries do not find out by themselves. Import it before PyTorch."""

import ctypes
import os
from pathlib import Path

_CPU_INFO = Path("/proc/cpuinfo")
_FLAGS = _CPU_INFO.read_text() if _CPU_INFO.exists() else ""

MULTIPLIES_BFLOAT16 = "avx512_bf16" in _FLAGS  # four times as fast as floats

# OpenBLAS takes an AMD processor that is newer than itself for one without AVX-512, which halves the speed of products.
if "AuthenticAMD" in _FLAGS and "avx512f" in _FLAGS:
    os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")


def keep_memory():
    """Keeps freed memory in the process, where glibc is the allocator: each step of training needs the same again, and
    clearing its pages anew takes an eighth of the time."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        trim_threshold, mmap_max = -1, -4  # <malloc.h>
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)
