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
import tempfile
import time
from pathlib import Path

import torch
from torch import distributed, multiprocessing
from torch.nn import functional

from batches import IGNORED, batches, tales
from bpe import Tokenizer
from model import Config, Llama

MANY_TALES, FEW_TALES, TALES_UNTIL = 0.75, 0.1, 0.1  # shares of the batches; when many become few
WARM_UP_STEPS = 200
PEAK_LEARNING_RATE, FINAL_LEARNING_RATE = 3e-3, 3e-5


def loss_of(model, tokens, targets):
    """Mean negative log-likelihood, in nats a token, of the story's tokens."""
    kept = targets != IGNORED
    return functional.cross_entropy(model.head(model.hidden(tokens)[kept]), targets[kept])


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


def average_gradients(model, workers):
    """Every worker gets the mean of all workers' gradients."""
    gradients = [weight.grad for weight in model.parameters()]
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    distributed.all_reduce(flat)
    parts = (flat / workers).split([gradient.numel() for gradient in gradients])
    for gradient, part in zip(gradients, parts):
        gradient.copy_(part.view_as(gradient))


class Run:
    """One worker's training: the model, its optimiser, and how far it has come. Worker 0 logs and saves."""

    def __init__(self, folder, leading):
        self.folder, self.leading = folder, leading
        self.tokenizer = Tokenizer.load(folder / "tokenizer.json")
        self.model = Llama(Config(vocabulary=len(self.tokenizer.tokens)))
        matrices = [weight for weight in self.model.parameters() if weight.dim() == 2]
        vectors = [weight for weight in self.model.parameters() if weight.dim() == 1]
        self.optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1},
                                            {"params": vectors, "weight_decay": 0.0}], betas=(0.9, 0.98))
        self.state = {"step": 0, "seconds": 0.0, "tokens": 0}
        self.checkpoint = folder / "checkpoint.pt"
        if self.checkpoint.exists():
            saved = torch.load(self.checkpoint)
            self.model.load_state_dict(saved["model"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.state = saved["state"]

    def save(self):
        if self.leading:
            whole = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(),
                     "state": self.state, "config": vars(self.model.config)}
            torch.save(whole, self.checkpoint.with_suffix(".new"))
            os.replace(self.checkpoint.with_suffix(".new"), self.checkpoint)

    def log(self, **figures):
        if self.leading:
            with open(self.folder / "log.jsonl", "a") as file:
                file.write(json.dumps({**self.state, **figures}) + "\n")


def work(rank, args):
    distributed.init_process_group("gloo", init_method=f"file://{args.rendezvous}", rank=rank,
                                   world_size=args.workers)
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    run = Run(args.folder, rank == 0)
    model, state, context = run.model, run.state, run.model.config.context
    run.log(parameters=sum(weight.numel() for weight in model.parameters()))
    held_out = list(itertools.islice(batches(run.tokenizer, context, 0, "validation"), 24))
    earlier, started = state["seconds"], time.time()
    total_seconds = earlier + args.end - started
    seed = f"{args.seed} {rank} {state['step']}"
    streams, rng = (batches(run.tokenizer, context, seed), tales(run.tokenizer, seed)), random.Random(seed)
    losses = ([], [])
    while True:
        clock = torch.tensor(earlier + time.time() - started)
        distributed.broadcast(clock, 0)
        state["seconds"] = float(clock)
        progress = state["seconds"] / total_seconds
        if progress >= 1:
            break
        for group in run.optimizer.param_groups:
            group["lr"] = learning_rate(state["step"], progress)
        telling = int(rng.random() < (MANY_TALES if progress < TALES_UNTIL else FEW_TALES))
        tokens, targets = next(streams[telling])
        loss = loss_of(model, tokens, targets)
        run.optimizer.zero_grad()
        loss.backward()
        average_gradients(model, args.workers)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        run.optimizer.step()
        losses[telling].append(float(loss))
        state["step"] += 1
        state["tokens"] += tokens.numel() * args.workers
        if state["step"] % 50 == 0:
            means = [sum(some) / max(1, len(some)) for some in losses]
            run.log(loss=means[0], loss_of_tales=means[1], learning_rate=group["lr"])
            losses = ([], [])
        if state["step"] % 250 == 0:
            run.save()
            run.log(validation_loss=validate(model, held_out) if run.leading else None)
    run.save()
    run.log(validation_loss=validate(model, held_out) if run.leading else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--until", required=True, help="HH:MM, local time")
    parser.add_argument("--workers", type=int, default=2, help="processes, of one thread each")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.end = deadline(args.until)
    with tempfile.TemporaryDirectory() as folder:
        args.rendezvous = Path(folder) / "rendezvous"
        multiprocessing.spawn(work, (args,), args.workers)


if __name__ == "__main__":
    main()
