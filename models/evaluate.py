#!/usr/bin/python3
"""Measures a heed-stories GGUF file: what it writes for held-out prompts, greedily and sampled, and its loss.

    python3 evaluate.py [heed-stories.gguf] [--stories FILE.jsonl]
"""

import argparse
import collections
import itertools
import json
import re
from pathlib import Path

import torch

import export
from batches import batches
from bpe import BEGIN, END
from stories import generate, lexicon
from train import validate

MAX_TOKENS = 300
NAMES = {name for text in lexicon.NAMES.values() for name in text.split()}


@torch.no_grad()
def continue_all(model, prompts, temperature, seed=1):
    """Token ids that follow each prompt (ids), at most MAX_TOKENS, without the end token that stops them."""
    randomness = torch.Generator().manual_seed(seed)
    continuations = [None] * len(prompts)
    by_length = collections.defaultdict(list)
    for index, prompt in enumerate(prompts):
        by_length[len(prompt)].append(index)
    for length, group in by_length.items():
        caches = [[] for _ in model.layers]
        tokens, position, written = torch.tensor([prompts[i] for i in group]), 0, []
        while len(written) < MAX_TOKENS and not all(END in row for row in zip(*written)) or not written:
            logits = model(tokens, caches, position)[:, -1]
            position += tokens.shape[1]
            if temperature:
                tokens = torch.multinomial((logits / temperature).softmax(-1), 1, generator=randomness)
            else:
                tokens = logits.argmax(-1, keepdim=True)
            written.append(tokens[:, 0].tolist())
        for index, row in zip(group, zip(*written)):
            continuations[index] = list(row[:row.index(END)]) if END in row else list(row)
    return continuations


def uses(text, word):
    return re.search(rf"\b{word}\b", text, re.IGNORECASE) is not None


def keeps_names(text):
    """Whether each name in the story was given to somebody there: "a fox named Pip", "Pip was a fox"."""
    given = set(re.findall(r"(?:named|called) (\w+)", text)) | set(re.findall(r"(\w+) was an? ", text))
    return set(re.findall(r"\b[A-Z]\w+", text)) & NAMES <= given


def distinct(texts, n=4):
    """Share of all n-grams of words that are different from one another."""
    grams = collections.Counter(gram for text in texts for gram in zip(*(text.split()[i:] for i in range(n))))
    return len(grams) / sum(grams.values())


def share(flags):
    flags = list(flags)
    return round(sum(flags) / len(flags), 4)


def measure(model, tokenizer, samples, temperature):
    """(figures, stories) for the prompts of `samples`."""
    ids = [[BEGIN] + tokenizer.encode(sample["prompt"]) for sample in samples]
    written = continue_all(model, ids, temperature)
    texts = [tokenizer.decode(tokens).strip() for tokens in written]
    pairs = list(zip(samples, texts))
    return {
        "prompts": len(samples), "temperature": temperature,
        "uses_all_words": share(all(uses(text, word) for word in sample["words"]) for sample, text in pairs),
        "ends_by_itself": share(len(tokens) < MAX_TOKENS for tokens in written),
        "keeps_names": share(map(keeps_names, texts)),
        "mean_words": round(sum(len(text.split()) for text in texts) / len(texts), 1),
        "distinct_stories": share(text not in texts[:i] for i, text in enumerate(texts)),
        "distinct_4_grams": round(distinct(texts), 3),
    }, texts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", type=Path, default=Path(__file__).with_name("heed-stories.gguf"))
    parser.add_argument("--stories", type=Path, help="write the stories here, one JSON object a line")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    model, tokenizer = export.load(args.model)

    held_out = list(itertools.islice(batches(tokenizer, model.config.context, 0, "validation"), 24))
    written = [sample["story"] for sample in itertools.islice(generate.stories(0, "validation"), 200)]
    print(json.dumps({"validation_loss": round(validate(model, held_out), 4),
                      "grammar_keeps_names": share(map(keeps_names, written)),
                      "grammar_distinct_4_grams": round(distinct(written), 3)}))
    lines = []
    asked = (sample for sample in generate.stories(1, "validation") if sample["words"])
    for name, samples in (("held-out pairs", generate.prompts(generate.held_out_pairs())),
                          ("every way of asking", list(itertools.islice(asked, 200))),
                          ("unseen words", generate.unseen_word_prompts())):
        for temperature in (0, 0.8):
            figures, texts = measure(model, tokenizer, samples, temperature)
            print(json.dumps({"set": name, **figures}), flush=True)
            lines += [json.dumps({"set": name, "temperature": temperature, **sample, "story": text})
                      for sample, text in zip(samples, texts)]
    if args.stories:
        args.stories.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
