"""How all the small models are trained, and written as GGUF."""

import math
import sys
import time

import torch

import gguf

COMMON = {"general.license": "MIT", "general.file_type": 7, "general.quantization_version": 2}
NORMAL, UNKNOWN, CONTROL = 1, 2, 3


def fit(model, loss_of, steps, peak=2e-3, warm_up=100, decay=0.05, report=lambda: "", checkpoint=None):
    """AdamW under half a cosine. loss_of(step) is a batch's loss; report() is printed now and then.

    With a path of a checkpoint, the training is kept there now and then, and goes on from there where the file exists.
    """
    torch.set_num_threads(1)
    matrices = [weight for weight in model.parameters() if weight.dim() > 1]
    vectors = [weight for weight in model.parameters() if weight.dim() < 2]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": decay},
                                   {"params": vectors, "weight_decay": 0.0}], betas=(0.9, 0.98))
    print(sum(weight.numel() for weight in model.parameters()), "parameters")
    began, total, first = time.process_time(), 0.0, 0
    if checkpoint and checkpoint.exists():
        first, state, moments = torch.load(checkpoint)
        model.load_state_dict(state)
        optimizer.load_state_dict(moments)
    for step in range(first, steps):
        rate = peak * min(1, (step + 1) / warm_up) * (0.01 + 0.99 * (1 + math.cos(math.pi * step / steps)) / 2)
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = loss_of(step)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += float(loss)
        if (step + 1) % 250 == 0:
            model.eval()
            seconds = time.process_time() - began
            print(f"{step + 1}/{steps} loss {total / 250:.4f} cpu {seconds:.0f} s", report(), flush=True)
            model.train()
            total = 0.0
            if checkpoint:
                torch.save((step + 1, model.state_dict(), optimizer.state_dict()), checkpoint)
    model.eval()


def begin_as(model, path):
    """Takes the weights of a file that have a place in the model."""
    state = model.state_dict()
    with torch.no_grad():
        for name, array in gguf.read(path)[1].items():
            if name in state:
                state[name].copy_(torch.tensor(array).view_as(state[name]))


def tokens(kind, texts, special, more):
    """The metadata of a vocabulary; `special` maps some texts to their type."""
    return {"tokenizer.ggml.model": kind, "tokenizer.ggml.tokens": texts,
            "tokenizer.ggml.token_type": [special.get(text, NORMAL) for text in texts], **more}


def is_matrix(name, array, plain=()):
    """What is stored in 8 bits. The tables that Heed reads as plain numbers are not."""
    return array.ndim == 2 and not name.endswith(("attn_rel_b.weight", "token_types.weight", *plain))


def save(path, architecture, name, description, keys, vocabulary, model, skip=(), plain=()):
    """Writes the file, and gives the model the 8-bit weights that are in it, so that figures are of these."""
    own = {f"{architecture}.{key}": value for key, value in keys.items()}
    state = {key: value.numpy() for key, value in model.state_dict().items() if not key.startswith(skip)}
    # gguf.write stores matrices in 8 bits; a leading dimension of 1 does not count.
    stored = {key: value if is_matrix(key, value, plain) or value.ndim != 2 else value[None] for key, value in state.items()}
    gguf.write(path, {"general.architecture": architecture, "general.name": name,
                      "general.description": description, **COMMON, **own, **vocabulary}, stored)
    begin_as(model, path)
    print(f"{path}: {path.stat().st_size} bytes", file=sys.stderr)
