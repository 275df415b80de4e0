#!/usr/bin/python3
"""Trains a model on the shards of FOLDER, for so many minutes; a second start resumes.

    python3 train.py --folder FOLDER --minutes 60                      # two processes on two cores
    python3 train.py --folder FOLDER --minutes 8 --total 20 --device cuda --config full

FOLDER holds tokenizer.json (bpe.py), the shards (shards.py), and gets checkpoint.pt and log.jsonl. The learning rate
falls to nothing in the last part of --total minutes, which may be spread over several starts. On the CPU, the minutes are those that
a worker computes: where other programs need the machine, training takes longer, but learns as much.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

import machine  # before PyTorch
import torch
from torch import distributed, multiprocessing
from torch.nn import functional

import export
import fused
import pointing
from bpe import Tokenizer
from model import CONFIGS, Config, Llama
from muon import Muon
from reading import IGNORED, Shards, row_batches, same_sample, sample_batches

WARM_UP_STEPS, COOL_DOWN = 60, 0.7
ADAM_RATE = 0.15  # of Muon's, for embeddings and norms
SAVE_SECONDS = 150
LONGEST_STEP = 90  # seconds; a longer step was a pause, and does not count


def loss_of(model, tokens, targets):
    """Mean negative log-likelihood, in nats a token, of what is to be learned."""
    kept = targets != IGNORED
    with torch.autocast(tokens.device.type, torch.bfloat16, enabled=machine.MULTIPLIES_BFLOAT16):
        logits = model.head(model.hidden(tokens)[kept])
    return functional.cross_entropy(logits.float(), targets[kept])


def loss_of_rows(model, tokens, targets):
    """The same for packed rows, without shapes that depend on the data."""
    with torch.autocast(tokens.device.type, torch.bfloat16):
        logits = model.head(model.hidden(tokens, mask=same_sample(tokens)))
    return functional.cross_entropy(logits.float().flatten(0, 1), targets.flatten(), ignore_index=IGNORED)


def share_of_rate(step, progress):
    """Warm-up, a plain, and a straight way down to 0."""
    return min(1, (step + 1) / WARM_UP_STEPS, (1 - progress) / COOL_DOWN + 0.005)


def average_gradients(model, workers):
    """Every worker gets the mean of all workers' gradients."""
    gradients = [weight.grad for weight in model.parameters()]
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    distributed.all_reduce(flat)
    parts = (flat / workers).split([gradient.numel() for gradient in gradients])
    for gradient, part in zip(gradients, parts):
        gradient.copy_(part.view_as(gradient))


class Run:
    """One worker's training: the model, its optimizers, and how far it has come. Worker 0 logs and saves."""

    def __init__(self, args, rank):
        self.folder, self.leading = args.folder, rank == 0
        self.tokenizer = Tokenizer.load(self.folder / "tokenizer.json")
        self.model = Llama(Config(vocabulary=len(self.tokenizer.tokens), **CONFIGS[args.config]))
        self.state = {"step": 0, "seconds": 0.0, "tokens": 0, "shard": args.first_shard}
        self.checkpoint, saved = self.folder / "checkpoint.pt", None
        if self.checkpoint.exists():
            saved = torch.load(self.checkpoint, map_location="cpu")
            self.model = Llama(Config(**saved["config"]))
            self.model.load_state_dict(saved["model"])
            self.state = saved["state"]
        elif args.warm_start:
            self.model, tokenizer = export.load(args.warm_start)
            if tokenizer.merges != self.tokenizer.merges:
                raise ValueError(f"{args.warm_start} has another tokenizer than {self.folder}")
            self.model.train()
        self.model.to(args.device)
        inner = [weight for name, weight in self.model.named_parameters() if weight.dim() == 2 and "layers" in name]
        outer = [weight for name, weight in self.model.named_parameters() if weight.dim() == 1 or "layers" not in name]
        self.optimizers = [Muon(inner, lr=args.rate, weight_decay=0.02),
                           torch.optim.AdamW(outer, lr=args.rate * ADAM_RATE, betas=(0.9, 0.98), weight_decay=0.01)]
        if saved:
            for optimizer, state in zip(self.optimizers, saved["optimizers"]):
                optimizer.load_state_dict(state)
        self.peaks = [args.rate, args.rate * ADAM_RATE]

    def save(self):
        if self.leading:
            whole = {"model": self.model.state_dict(), "state": self.state, "config": vars(self.model.config),
                     "optimizers": [optimizer.state_dict() for optimizer in self.optimizers]}
            torch.save(whole, self.checkpoint.with_suffix(".new"))
            os.replace(self.checkpoint.with_suffix(".new"), self.checkpoint)

    def log(self, **figures):
        if self.leading:
            line = json.dumps({**self.state, **figures})
            with open(self.folder / "log.jsonl", "a") as file:
                file.write(line + "\n")
            print(line, flush=True)


def work(rank, args):
    workers = 1 if args.packed else args.workers
    machine.keep_memory()
    if workers > 1:
        distributed.init_process_group("gloo", init_method=f"file://{args.rendezvous}", rank=rank, world_size=workers)
        torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    run = Run(args, rank)
    model, state = run.model, run.state
    run.log(parameters=sum(weight.numel() for weight in model.parameters()))
    shards = Shards(args.folder, state["shard"], args.seed, args.early)
    if args.packed:
        torch.set_float32_matmul_precision("high")
        batches, lossy = row_batches(shards, args.batch or 64), loss_of_rows
        lossy = torch.compile(lossy) if args.compile else lossy
    else:
        batches, lossy = sample_batches(shards, args.batch or 1536, rank, workers), fused.loss_of if fused.AVAILABLE else loss_of
    pointed = pointing.batches(run.tokenizer, args.batch or 1536, state["step"], rank, workers) if args.pointing else None
    clock_now = time.time if args.device == "cuda" else time.process_time
    last, saved = clock_now(), time.time()
    end = state["seconds"] + args.minutes * 60
    total = args.total * 60 if args.total else end
    total_loss, counted = torch.zeros((), device=args.device), 0
    while True:
        now = clock_now()
        clock = torch.tensor([state["seconds"] + min(now - last, LONGEST_STEP)], dtype=torch.float64)
        last = now
        if workers > 1:
            distributed.broadcast(clock, 0)
        state["seconds"] = float(clock)
        if state["seconds"] >= min(end, total):
            break
        share = share_of_rate(state["step"], state["seconds"] / total)
        for optimizer, peak in zip(run.optimizers, run.peaks):
            optimizer.param_groups[0]["lr"] = peak * share
        cases = []
        if pointed and state["step"] % pointing.EVERY == 0:
            *batch, cases = next(pointed)
        else:
            batch = next(batches)
        tokens, targets = (some.to(args.device, non_blocking=True) for some in batch)
        model.zero_grad(set_to_none=True)
        try:
            if cases:
                loss = pointing.loss_with_pointing(lossy, model, tokens, targets, cases)
            else:
                loss = lossy(model, tokens, targets)
            loss.backward()
        except Exception as error:
            if lossy in (loss_of, fused.loss_of, loss_of_rows) or counted:
                raise
            print(f"goes on without torch.compile: {error}", flush=True)
            lossy = loss_of_rows
            continue
        if workers > 1:
            average_gradients(model, workers)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer in run.optimizers:
            optimizer.step()
        total_loss += loss.detach()
        counted += 1
        state["step"] += 1
        state["tokens"] += tokens.numel() * workers
        state["shard"] = shards.index
        if state["step"] % 50 == 0:
            run.log(loss=round(float(total_loss) / counted, 4), share=round(share, 3),
                    tokens_a_second=round(state["tokens"] / state["seconds"]))
            total_loss.zero_()
            counted = 0
        if time.time() - saved > SAVE_SECONDS:
            run.save()
            saved = time.time()
    run.save()
    run.log(done=True, over=state["seconds"] >= total)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True, help="of this start")
    parser.add_argument("--total", type=float, help="minutes of all starts together, if there are more")
    parser.add_argument("--config", choices=list(CONFIGS), default="full")
    parser.add_argument("--warm-start", type=Path, help="a GGUF file of export.py to begin with")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--packed", action="store_true", help="whole rows of the shards, as always on a GPU")
    parser.add_argument("--batch", type=int, help="tokens a worker (1536); with --packed rows (64)")
    parser.add_argument("--rate", type=float, default=0.015, help="Muon's learning rate")
    parser.add_argument("--workers", type=int, default=2, help="processes on the CPU, of one thread each")
    parser.add_argument("--pointing", action="store_true", help="teach a head where answers stand; on the CPU")
    parser.add_argument("--first-shard", type=int, default=0)
    parser.add_argument("--early", type=int, default=0, help="shards that are not read again")
    parser.add_argument("--compile", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.packed = args.packed or args.device == "cuda"
    if args.packed and args.pointing:
        parser.error("--pointing needs whole samples, not packed rows")
    if args.packed:
        work(0, args)
        return
    with tempfile.TemporaryDirectory() as folder:
        args.rendezvous = Path(folder) / "rendezvous"
        multiprocessing.spawn(work, (args,), args.workers)


if __name__ == "__main__":
    main()
