"""Trains the model on windows of said words; goes on from the checkpoint in the folder.

    OMP_NUM_THREADS=1 python3 -m speech.train --folder /tmp/words --minutes 80

--minutes are of the processor, in all. A second process makes the windows.
"""

import argparse
import multiprocessing
import os
import time
from pathlib import Path

import numpy

import machine  # before PyTorch
from muon import Muon
import torch
from torch.nn import functional

from speech import file, windows
from speech.model import Whisper
from speech.words import END_C, FIRST_TIME_C, SILENT_C, START_C, TIMES, UNTIMED_C

ROWS = 6400  # positions in a batch
# From which part of the training on, how long the windows are, and how often.
LENGTHS = [(0.0, {100: 0.4, 150: 0.3, 200: 0.3}), (0.25, {100: 0.2, 150: 0.25, 200: 0.25, 300: 0.2, 500: 0.1}),
           (0.8, {150: 0.25, 300: 0.25, 600: 0.2, 1500: 0.3})]
AS_WRITTEN = 0.88  # from which part on matrices are rounded as the file has them
NEAR = {-2: 0.05, -1: 0.2, 0: 0.5, 1: 0.2, 2: 0.05}  # what a time is asked for


def make_batches(folder, seed, part, queue):
    """Runs in a process of its own."""
    os.setsid()
    machine.keep_memory()
    corpus, dice = windows.Corpus(folder), numpy.random.default_rng(seed)
    while True:
        lengths = [chances for begin, chances in LENGTHS if part.value >= begin][-1]
        positions = int(dice.choice(list(lengths), p=list(lengths.values())))
        queue.put(windows.batch(dice, corpus, max(4, ROWS // positions), positions))


def loss_of(model, batch, table):
    """(loss, its parts)"""
    sound = model.encoder(batch["mel"], batch["offsets"])
    labels = functional.cross_entropy(model.labels(sound).flatten(0, 1), batch["labels"].flatten())
    logs = model.logits(batch["tokens"], sound, table).log_softmax(-1)[batch["targets"] >= 0]
    targets = batch["targets"][batch["targets"] >= 0]
    is_time = targets >= FIRST_TIME_C
    last = FIRST_TIME_C + TIMES - 1
    words = -logs[~is_time].gather(1, targets[~is_time, None]).mean()
    asked_times = targets[is_time, None]
    near = [-share * logs[is_time].gather(1, (asked_times + far).clamp(FIRST_TIME_C, last)) for far, share in NEAR.items()]
    times = sum(near).mean() if is_time.any() else torch.zeros(())
    places = torch.arange(sound.shape[1])
    begin, end = batch["looks"][..., :1], batch["looks"][..., 1:]
    inside = ((places >= begin - 1) & (places <= end + 1)).float()
    asked = end[..., 0] > 0
    looks = -(model.following()[:, :] * inside[:, None]).sum(-1).clamp_min(1e-4).log().transpose(1, 2)[asked].mean()
    return words + 0.4 * times + 0.15 * looks + 0.3 * labels, (float(words), float(times), float(looks), float(labels))


def as_tensors(batch):
    return {name: torch.as_tensor(value) for name, value in batch.items()}


@torch.no_grad()
def write(model, batch, steps=40):
    """What the model writes without times, greedily: lists of words."""
    sound = model.encoder(batch["mel"], batch["offsets"])
    tokens = torch.tensor([[START_C, UNTIMED_C]]).repeat(len(sound), 1)
    table = model.decoder.embedding()
    for _ in range(steps):
        logits = model.logits(tokens, sound, table)[:, -1]
        logits[:, FIRST_TIME_C:] = -torch.inf
        logits[:, SILENT_C] = -torch.inf
        tokens = torch.cat([tokens, logits.argmax(-1, keepdim=True)], 1)
        if (tokens[:, 2:] == END_C).any(1).all():
            break
    return [row[:row.index(END_C)] if END_C in row else row for row in tokens[:, 2:].tolist()]


def errors(said, heard):
    """Words to replace, leave out or put in."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(said, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]


def said(batch):
    return [[token for token, target in zip(tokens, targets) if target >= 0 and 0 < token < END_C]
            for tokens, targets in zip(batch["tokens"].tolist(), batch["targets"].tolist())]


def word_error_rate(model, batches):
    wrong = count = 0
    for batch in batches:
        for words, heard in zip(said(batch), write(model, batch)):
            wrong, count = wrong + errors(words, heard), count + len(words)
    return wrong / count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True, help="has `trained` and `held`, as corpus.py writes them")
    parser.add_argument("--minutes", type=float, default=80)
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    machine.keep_memory()
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    model = Whisper()
    print(sum(value.numel() for value in model.parameters()), "parameters")
    inner = [value for name, value in model.named_parameters() if ".blocks." in name and value.dim() == 2]
    outer = [value for name, value in model.named_parameters() if not (".blocks." in name and value.dim() == 2)]
    peaks = [arguments.rate, arguments.rate / 3]
    optimizers = [Muon(inner, lr=peaks[0], weight_decay=0.1),
                  torch.optim.AdamW(outer, lr=peaks[1], betas=(0.9, 0.98), weight_decay=0.01)]
    checkpoint = arguments.folder / "checkpoint.pt"
    step, spent = 0, 0.0
    if checkpoint.exists():
        step, spent, state, moments = torch.load(checkpoint)
        model.load_state_dict(state)
        for optimizer, saved in zip(optimizers, moments):
            optimizer.load_state_dict(saved)

    context = multiprocessing.get_context("fork")
    part, queue = context.Value("d", spent / 60 / arguments.minutes), context.Queue(6)
    order = (arguments.folder / "trained", arguments.seed + step, part, queue)
    maker = context.Process(target=make_batches, args=order, daemon=True)
    maker.start()
    held, dice = windows.Corpus(arguments.folder / "held"), numpy.random.default_rng(99)
    judged = [as_tensors(windows.batch(dice, held, 32, positions)) for positions in (150, 300)]

    before, sums, count = time.process_time(), numpy.zeros(4), 0
    while part.value < 1:
        warm = min(1, (step + 1) / 150)
        for optimizer, peak in zip(optimizers, peaks):
            for group in optimizer.param_groups:
                group["lr"] = peak * warm * min(1, (1 - part.value) / 0.6 + 0.003)
        batch = as_tensors(queue.get())
        written = part.value >= AS_WRITTEN
        kept = file.as_written(model) if written else {}
        with torch.autocast("cpu", torch.bfloat16, enabled=machine.MULTIPLIES_BFLOAT16 and not written):
            table = model.decoder.embedding()
            loss, parts = loss_of(model, batch, file.rounded_table(table) if written else table)
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss.backward()
        with torch.no_grad():
            for value, was in kept.items():
                value.copy_(was)
        torch.nn.utils.clip_grad_norm_(outer, 1.0)
        for optimizer in optimizers:
            optimizer.step()
        step, sums, count = step + 1, sums + parts, count + 1
        now = time.process_time()
        spent, before = spent + now - before, now
        part.value = spent / 60 / arguments.minutes
        if step % 50 == 0 or part.value >= 1:
            words, times, looks, labels = sums / count
            rate = f" held-out errors {word_error_rate(model, judged):.3f}" if step % 200 == 0 or part.value >= 1 else ""
            losses = f"words {words:.3f} times {times:.3f} looks {looks:.3f} labels {labels:.3f}"
            print(f"{step} {spent / 60:.1f} min {losses}{rate}", flush=True)
            sums, count = numpy.zeros(4), 0
        if step % 200 == 0 or part.value >= 1:
            new = checkpoint.with_suffix(".new")
            torch.save((step, spent, model.state_dict(), [optimizer.state_dict() for optimizer in optimizers]), new)
            new.replace(checkpoint)
    maker.terminate()


if __name__ == "__main__":
    main()
