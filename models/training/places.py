"""Where finished models lie: in the folder around this one."""

from pathlib import Path

MODELS = Path(__file__).resolve().parents[1]
BUNDLED = MODELS / "heed-stories.gguf"
TINY = MODELS / "tiny"
