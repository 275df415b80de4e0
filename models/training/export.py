#!/usr/bin/python3
"""Writes a checkpoint of train.py as a GGUF file, and reads it back.

    python3 export.py --folder FOLDER --out model.gguf
"""

import argparse
from pathlib import Path

import torch

import gguf
from bpe import BEGIN, END, SPECIAL, TURN_END, Tokenizer
from model import Config, Llama
from places import BUNDLED
from stories.chat import TEMPLATE

DESCRIPTION = "Tells short, simple stories about the things it is asked for, and answers questions about them. " \
    "Trained by the Heed project on text from its own story generator."
NORMAL, CONTROL = 1, 3
LAYER_NAMES = {
    "attn_norm": "attn_norm", "attn.q_proj": "attn_q", "attn.k_proj": "attn_k", "attn.v_proj": "attn_v",
    "attn.o_proj": "attn_output", "mlp_norm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}


def gguf_names(config):
    """{name in model.py: name in GGUF}. There is no output.weight: the head is the embedding."""
    names = {"embedding.weight": "token_embd.weight", "norm.weight": "output_norm.weight"}
    for layer in range(config.layers):
        for ours, theirs in LAYER_NAMES.items():
            names[f"layers.{layer}.{ours}.weight"] = f"blk.{layer}.{theirs}.weight"
    return names


def metadata(config, tokenizer):
    return {
        "general.architecture": "llama",
        "general.name": "heed-stories",
        "general.description": DESCRIPTION,
        "general.license": "MIT",
        "general.file_type": 7,  # mostly Q8_0
        "general.quantization_version": 2,
        "llama.vocab_size": config.vocabulary,
        "llama.context_length": config.context,
        "llama.embedding_length": config.width,
        "llama.block_count": config.layers,
        "llama.feed_forward_length": config.feed_forward,
        "llama.attention.head_count": config.heads,
        "llama.attention.head_count_kv": config.kv_heads,
        "llama.attention.layer_norm_rms_epsilon": config.norm_eps,
        "llama.rope.dimension_count": config.head_width,
        "llama.rope.freq_base": config.rope_theta,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": tokenizer.tokens,
        "tokenizer.ggml.token_type": [CONTROL if token in SPECIAL else NORMAL for token in tokenizer.tokens],
        "tokenizer.ggml.merges": [" ".join(pair) for pair in tokenizer.merges],
        "tokenizer.ggml.bos_token_id": BEGIN,
        "tokenizer.ggml.eos_token_id": END,
        "tokenizer.ggml.eot_token_id": TURN_END,
        "tokenizer.ggml.add_bos_token": True,
        "tokenizer.ggml.add_eos_token": False,
        "tokenizer.chat_template": TEMPLATE,
    }


def load(path):
    """(model, tokenizer) of a file that this script wrote."""
    pairs, tensors = gguf.read(path)
    config = Config(
        vocabulary=pairs["llama.vocab_size"], width=pairs["llama.embedding_length"],
        layers=pairs["llama.block_count"], heads=pairs["llama.attention.head_count"],
        kv_heads=pairs["llama.attention.head_count_kv"], feed_forward=pairs["llama.feed_forward_length"],
        context=pairs["llama.context_length"], rope_theta=pairs["llama.rope.freq_base"],
        norm_eps=pairs["llama.attention.layer_norm_rms_epsilon"])
    model = Llama(config)
    names = gguf_names(config)
    model.load_state_dict({ours: torch.tensor(tensors[theirs]) for ours, theirs in names.items()})
    return model.eval(), Tokenizer(pair.split(" ") for pair in pairs["tokenizer.ggml.merges"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=BUNDLED)
    parser.add_argument("--average", type=Path, nargs="+", default=[], help="earlier checkpoints of the run, to average the weights with")
    args = parser.parse_args()
    saved = torch.load(args.folder / "checkpoint.pt", map_location="cpu")
    config = Config(**saved["config"])
    runs = [torch.load(path, map_location="cpu")["model"] for path in args.average] + [saved["model"]]
    weights = {name: sum(run[name] for run in runs) / len(runs) for name in saved["model"]}  # arXiv:2203.05482
    names = gguf_names(config)
    assert names.keys() == weights.keys()
    tokenizer = Tokenizer.load(args.folder / "tokenizer.json")
    gguf.write(args.out, metadata(config, tokenizer),
               {theirs: weights[ours].numpy() for ours, theirs in names.items()})
    print(f"{args.out}: {args.out.stat().st_size} bytes, after {saved['state']}")


if __name__ == "__main__":
    main()
