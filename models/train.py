#!/usr/bin/python3
"""Trains heed-stories on freshly written stories until a time of day, to which the learning rate is annealed.

    python3 train.py --folder FOLDER --until 12:30

FOLDER holds tokenizer.json (bpe.py writes it), and gets checkpoint.pt and log.jsonl; a second start resumes.
"""

import argparse
import datetime
import itertools
import json
import math
import os
import random
import time
from pathlib import Path

# OpenMP's waiting threads would otherwise spin, and take the cores from OpenBLAS's: five times slower.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import torch  # noqa: E402
from torch.nn import functional  # noqa: E402

from bpe import BEGIN, END, Tokenizer  # noqa: E402
from model import Config, Llama  # noqa: E402
from stories.generate import stories  # noqa: E402

BATCH = 20
POOL = 8 * BATCH
WARM_UP_STEPS = 200
PEAK_LEARNING_RATE, FINAL_LEARNING_RATE = 2e-3, 2e-5
IGNORED = -100


def encode(tokenizer, sample):
    """(tokens, targets) of a sample: the story is learned, its instruction is only read."""
    prompt = tokenizer.encode(sample["prompt"])
    story = tokenizer.encode(("\n" if prompt else "") + sample["story"]) + [END]
    tokens = [BEGIN] + prompt + story
    return tokens, [IGNORED] * len(prompt) + story + [IGNORED]


def stack(rows):
    """Rows of (tokens, targets) as two tensors, padded at the end to the longest."""
    pad = torch.nn.utils.rnn.pad_sequence
    tokens = pad([torch.tensor(tokens) for tokens, _ in rows], batch_first=True, padding_value=END)
    targets = pad([torch.tensor(targets) for _, targets in rows], batch_first=True, padding_value=IGNORED)
    return tokens, targets


def batches(tokenizer, context, seed, split="train"):
    """Batches of stories of like length; now and then three stories a row, to learn late positions."""
    stream, rng = stories(seed, split), random.Random(seed)
    while True:
        pool = sorted((encode(tokenizer, next(stream)) for _ in range(POOL)), key=lambda row: len(row[0]))
        cut = [pool[i:i + BATCH] for i in range(0, POOL, BATCH)]
        rng.shuffle(cut)
        if rng.random() < 0.5:
            mixed = rng.sample(cut[0], BATCH)
            cut[0] = [tuple(sum(column, [])[:context] for column in zip(*mixed[i:i + 3]))
                      for i in range(0, BATCH - 2, 3)]
        yield from map(stack, cut)


def loss_of(model, tokens, targets):
    """Mean negative log-likelihood, in nats a token, of the story's tokens."""
    kept = targets != IGNORED
    return functional.cross_entropy(model(tokens)[kept], targets[kept])


@torch.no_grad()
def validate(model, held_out):
    model.eval()
    total = count = 0
    for tokens, targets in held_out:
        kept = int((targets != IGNORED).sum())
        total += float(loss_of(model, tokens, targets)) * kept
        count += kept
    model.train()
    return total / count


def learning_rate(step, progress):
    """Linear warm-up, then half a cosine over the time there is."""
    cosine = (1 + math.cos(math.pi * progress)) / 2
    rate = FINAL_LEARNING_RATE + (PEAK_LEARNING_RATE - FINAL_LEARNING_RATE) * cosine
    return rate * min(1, (step + 1) / WARM_UP_STEPS)


def deadline(text):
    """The next time the clock shows HH:MM, in seconds since the epoch."""
    now = datetime.datetime.now()
    hour, minute = map(int, text.split(":"))
    end = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (end if end > now else end + datetime.timedelta(days=1)).timestamp()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--until", required=True, help="HH:MM, local time")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)

    tokenizer = Tokenizer.load(args.folder / "tokenizer.json")
    config = Config(vocabulary=len(tokenizer.tokens))
    model = Llama(config)
    matrices = [weight for weight in model.parameters() if weight.dim() == 2]
    vectors = [weight for weight in model.parameters() if weight.dim() == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1},
                                   {"params": vectors, "weight_decay": 0.0}], betas=(0.9, 0.98))
    state = {"step": 0, "seconds": 0.0, "tokens": 0}
    checkpoint = args.folder / "checkpoint.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        state = saved["state"]

    def save():
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "state": state,
                    "config": vars(config)}, checkpoint.with_suffix(".new"))
        os.replace(checkpoint.with_suffix(".new"), checkpoint)

    def log(**figures):
        line = json.dumps({**state, **figures})
        print(line, flush=True)
        with open(args.folder / "log.jsonl", "a") as file:
            file.write(line + "\n")

    log(parameters=sum(weight.numel() for weight in model.parameters()))
    held_out = list(itertools.islice(batches(tokenizer, config.context, 0, "validation"), 8))
    end, earlier, started = deadline(args.until), state["seconds"], time.time()
    total_seconds = earlier + end - started
    stream = batches(tokenizer, config.context, f"{args.seed} {state['step']}")
    recent = []
    for tokens, targets in stream:
        state["seconds"] = earlier + time.time() - started
        if state["seconds"] >= total_seconds:
            break
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(state["step"], state["seconds"] / total_seconds)
        loss = loss_of(model, tokens, targets)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        recent.append(float(loss))
        state["step"] += 1
        state["tokens"] += tokens.numel()
        if state["step"] % 50 == 0:
            log(loss=sum(recent) / len(recent), learning_rate=optimizer.param_groups[0]["lr"])
            recent = []
        if state["step"] % 250 == 0:
            log(validation_loss=validate(model, held_out))
            save()
    log(validation_loss=validate(model, held_out))
    save()


if __name__ == "__main__":
    main()
