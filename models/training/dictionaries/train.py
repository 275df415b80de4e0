#!/usr/bin/env python3
"""Trains the dictionaries of the bundled model on states that states.mjs has collected, and writes them in the format of SAELens:
a sparse autoencoder of the residual stream after a layer, and a transcoder of that layer's feed-forward block.

    /usr/bin/python3 -m dictionaries.train /tmp/states.safetensors            # needs torch; writes ../dictionaries/

Training keeps the k largest activations per token on average, over a batch (BatchTopK, arXiv:2412.06410). Features that have not been on
for a while learn from what is left of the values (arXiv:2406.04093). The dictionaries that are written are JumpReLU: a feature is on above
a threshold, the mean of the least activation that each batch kept.
"""

import argparse
import json
import struct
from pathlib import Path

import numpy
import torch

OUT = Path(__file__).resolve().parents[2] / "dictionaries"
LAYER = 5
DICTIONARIES = {
    f"resid-{LAYER}": {
        "reads": f"resid.{LAYER}",
        "writes": f"resid.{LAYER}",
        "cfg": {
            "architecture": "jumprelu",
            "apply_b_dec_to_input": True,
            "metadata": {"hook_name": f"blocks.{LAYER}.hook_resid_post"},
        },
    },
    f"mlp-{LAYER}": {
        "reads": f"mlp.{LAYER}.in",
        "writes": f"mlp.{LAYER}.out",
        "cfg": {
            "architecture": "jumprelu_transcoder",
            "apply_b_dec_to_input": False,
            "metadata": {"hook_name": f"blocks.{LAYER}.mlp.hook_in", "hook_name_out": f"blocks.{LAYER}.hook_mlp_out"},
        },
    },
}
UNUSED = 150  # steps without an activation after which a feature learns from the error
LARGEST_ERROR = 32  # features that rebuild it


def read(path, names):
    """Tensors of a safetensors file, mapped."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
    start = 8 + length
    return {
        name: numpy.memmap(path, "<f4", "r", start + header[name]["data_offsets"][0], tuple(header[name]["shape"])) for name in names
    }


def write(path, tensors):
    header, at = {}, 0
    for name, tensor in tensors.items():
        size = tensor.nbytes
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(tensor.tobytes() for tensor in tensors.values()))


def scale_of(values):
    """The factor with which values have the squared length of their width, less their mean."""
    sample = numpy.asarray(values[:: max(1, len(values) // 20000)])
    return float(numpy.sqrt(sample.shape[1] / ((sample - sample.mean(0)) ** 2).sum(1).mean())), sample.mean(0)


class Dictionary(torch.nn.Module):
    def __init__(self, width, features, width_out, subtracts, mean_out):
        super().__init__()
        decoder = torch.nn.functional.normalize(torch.randn(features, width_out), dim=1)
        self.decoder = torch.nn.Parameter(decoder)
        self.encoder = torch.nn.Parameter(decoder.T.clone() if subtracts else torch.randn(width, features) / width**0.5)
        self.bias = torch.nn.Parameter(torch.zeros(features))
        self.decoder_bias = torch.nn.Parameter(torch.tensor(mean_out))
        self.subtracts = subtracts

    def sums(self, x):
        return (x - self.decoder_bias if self.subtracts else x) @ self.encoder + self.bias


def train(inputs, targets, subtracts, features, k, steps, batch, rate):
    """The dictionary as SAELens names its tensors."""
    generator = numpy.random.default_rng(0)
    torch.manual_seed(0)
    in_scale, _ = scale_of(inputs)
    out_scale, mean_out = scale_of(targets)
    model = Dictionary(inputs.shape[1], features, targets.shape[1], subtracts, mean_out * out_scale)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.999))
    idle, least = torch.zeros(features), []
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, (steps - step) / (0.3 * steps), (step + 1) / 100)
        rows = numpy.sort(generator.integers(0, len(inputs), batch))
        x = torch.from_numpy(numpy.asarray(inputs[rows])) * in_scale
        y = x if subtracts else torch.from_numpy(numpy.asarray(targets[rows])) * out_scale
        sums = torch.relu(model.sums(x))
        limit = torch.topk(sums.detach().flatten(), k * batch, sorted=False).values.min()
        acts = sums * (sums >= limit)
        rebuilt = acts @ model.decoder + model.decoder_bias
        error = y - rebuilt
        loss = (error**2).sum(1).mean()
        idle = torch.where((acts.detach() > 0).any(0), torch.zeros(()), idle + 1)
        unused = idle > UNUSED
        if unused.any():
            rest = model.sums(x) * unused - 1e9 * ~unused
            best = torch.topk(rest, min(LARGEST_ERROR, int(unused.sum())), dim=1, sorted=False)
            guess = torch.zeros_like(sums).scatter(1, best.indices, torch.relu(best.values)) @ model.decoder
            loss = loss + ((error.detach() - guess) ** 2).sum(1).mean() / 32
        optimizer.zero_grad()
        loss.backward()
        with torch.no_grad():  # no gradient along rows of length 1
            model.decoder.grad -= (model.decoder.grad * model.decoder).sum(1, keepdim=True) * model.decoder
            optimizer.step()
            model.decoder.data = torch.nn.functional.normalize(model.decoder.data, dim=1)
        if step >= 0.9 * steps:
            least.append(float(limit))
        if step % 200 == 0 or step == steps - 1:
            explained = 1 - float((error**2).sum() / ((y - y.mean(0)) ** 2).sum())
            print(f"step {step}: explained {explained:.4f}, unused {int(unused.sum())}, limit {float(limit):.3f}", flush=True)
    plain = {name: value.detach().numpy() for name, value in model.named_parameters()}
    return {  # in the values' own scale, with activations that are lengths of what they add
        "W_enc": numpy.ascontiguousarray(plain["encoder"] * in_scale / out_scale),
        "b_enc": plain["bias"] / out_scale,
        "W_dec": plain["decoder"],
        "b_dec": plain["decoder_bias"] / out_scale,
        "threshold": numpy.full(features, numpy.mean(least) / out_scale, "f4"),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("states")
    parser.add_argument("--only", help="the name of one dictionary")
    parser.add_argument("--features", type=int, default=512)
    parser.add_argument("--on", type=int, default=12, help="features that are on, on average")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=2e-3)
    args = parser.parse_args()
    torch.set_num_threads(1)
    for name, about in DICTIONARIES.items():
        if args.only not in (None, name):
            continue
        points = [about["reads"], about["writes"]]
        states = read(args.states, points)
        inputs, targets = (states[point] for point in points)
        is_transcoder = about["reads"] != about["writes"]
        print(f"{name}: {len(inputs)} tokens", flush=True)
        tensors = train(inputs, targets, not is_transcoder, args.features, args.on, args.steps, args.batch, args.rate)
        tensors = {name: tensor.astype("<f4") for name, tensor in tensors.items()}
        folder = OUT / name
        folder.mkdir(parents=True, exist_ok=True)
        write(folder / "sae_weights.safetensors", tensors)
        cfg = {
            "d_in": inputs.shape[1],
            "d_sae": args.features,
            **({"d_out": targets.shape[1]} if is_transcoder else {}),
            "dtype": "float32",
            "device": "cpu",
            "normalize_activations": "none",
            "reshape_activations": "none",
            **about["cfg"],
        }
        cfg["metadata"] = {"model_name": "heed-stories", "prepend_bos": True, "context_size": 1024, **cfg["metadata"]}
        (folder / "cfg.json").write_text(json.dumps(cfg, indent=2) + "\n")


if __name__ == "__main__":
    main()
