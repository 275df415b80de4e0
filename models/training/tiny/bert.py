#!/usr/bin/python3
"""heed-events: a BERT (arXiv:1810.04805) whose vectors of texts that tell the same event lie close together.

    python3 -m tiny.bert [--steps 1400]
"""

import argparse
import itertools
import re
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from places import TINY
from tiny import events
from tiny.parts import add_attention, attend, contrast, hide
from tiny.training import CONTROL, fit, save, tokens
from tiny.words import LETTERS, SPACE, Words

WIDTH, HEADS, LAYERS, FEED_FORWARD, CONTEXT = 64, 4, 3, 128, 64
PAD, UNKNOWN, CLS, SEP, MASK = range(5)
SPECIAL = {text: CONTROL for text in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")}
SCALE, BATCH = 20.0, 64
OUT = TINY / "heed-events.gguf"
DESCRIPTION = "Makes vectors of short texts about who did what to whom; the same event in other words has a vector " \
    "close by. Trained by the Heed project on texts of its own grammar. " \
    "Example: The boy thanked the queen because she was clever."
ENDINGS = ("ed", "d", "ing", "s")


def pieces():
    """The words of the grammar, those that end in "ed" as a stem and an ending; and letters for other words."""
    texts = (text for text, _, _ in itertools.islice(events.triples(0), 20000))
    words = {word for text in texts for word in re.findall(r"\w+", text.lower())}
    stems = {re.sub(r"(?<=..[^aeiou])ed$|(?<=...e)d$", "", word) for word in words}
    return [*(SPACE + mark for mark in ".,?!'"), *(SPACE + word for word in sorted(stems)), *ENDINGS, *LETTERS,
            *(SPACE + letter for letter in LETTERS)]


class Layer(nn.Module):
    """Attention and an MLP, each with a norm after it."""

    def __init__(self):
        super().__init__()
        self.seen = {}
        add_attention(self, "attn", "output", WIDTH, bias=True)
        self.attn_output_norm, self.layer_output_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.ffn_up, self.ffn_down = nn.Linear(WIDTH, FEED_FORWARD), nn.Linear(FEED_FORWARD, WIDTH)

    def forward(self, x, scores):
        x = self.attn_output_norm(x + attend(self, "attn", "output", HEADS, x, x, scores))
        return self.layer_output_norm(x + self.ffn_down(functional.gelu(self.ffn_up(x), approximate="tanh")))


class Bert(nn.Module):
    """(tokens, lengths) -> hidden B T D; `vectors` are their means. `guess` is only trained with, and not in the file."""

    def __init__(self, vocabulary):
        super().__init__()
        self.token_embd, self.position_embd = nn.Embedding(vocabulary, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.token_types, self.token_embd_norm = nn.Embedding(1, WIDTH), nn.LayerNorm(WIDTH)
        self.blk = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.guess = nn.Linear(WIDTH, vocabulary)
        for table in (self.token_embd, self.position_embd, self.token_types):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, ids, lengths):
        x = self.token_embd(ids) + self.position_embd.weight[:ids.shape[1]] + self.token_types.weight[0]
        x, hidden = self.token_embd_norm(x), hide(ids.shape[1], lengths)
        for layer in self.blk:
            x = layer(x, hidden)
        return x

    def vectors(self, ids, lengths):
        real = (torch.arange(ids.shape[1]) < lengths[:, None])[..., None]
        return (self(ids, lengths) * real).sum(1) / lengths[:, None]


def encode(words, texts):
    rows = [torch.tensor([CLS, *words.word_piece(text), SEP]) for text in texts]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD), torch.tensor([len(row) for row in rows])


def guessing_loss(model, ids, lengths):
    """Of words hidden behind [MASK], an eighth of all (arXiv:1810.04805, section 3.1)."""
    masked = (torch.rand(ids.shape) < 0.125) & (ids > MASK)
    return functional.cross_entropy(model.guess(model(ids.masked_fill(masked, MASK), lengths)[masked]), ids[masked])


@torch.no_grad()
def figures(model, words, count, seed=10 ** 6, among=100):
    """Shares: the other telling found among so many, and closer than a different event told much alike."""
    sets = zip(*itertools.islice(events.triples(seed, testing=True), count))
    text, same, other = (functional.normalize(model.vectors(*encode(words, some)), dim=-1) for some in sets)
    found = [(part @ others.T).argmax(-1) == torch.arange(len(part))
             for part, others in zip(text.split(among), same.split(among))]
    return {"found": float(torch.cat(found).float().mean()),
            "closer": float(((text * same).sum(-1) > (text * other).sum(-1)).float().mean()),
            "same": float((text * same).sum(-1).mean()), "other": float((text * other).sum(-1).mean())}


@torch.no_grad()
def looks_back(model, words, count, seed=10 ** 6 + 1):
    """For each layer and head: the share of pronouns that look more at who they stand for than at the other one."""
    teller, right, weight, total = events.Teller(seed), torch.zeros(LAYERS, HEADS), torch.zeros(LAYERS, HEADS), 0
    while total < count:
        event = teller.event()
        if event.joint < 0 or not events.is_held_out(event):
            continue
        ids, lengths = encode(words, [teller.tell(event, pronoun=True)])
        model(ids, lengths)
        row = ids[0].tolist()
        who, whom = (words.ids[SPACE + being.lower()] for being in (event.agent, event.patient))
        if not event.by_agent:
            who, whom = whom, who
        pronoun = max(i for i, id in enumerate(row) if words.texts[id] in (SPACE + "he", SPACE + "she", SPACE + "it"))
        seen = torch.stack([layer.seen["attn"][0, :, pronoun] for layer in model.blk])
        right += seen[:, :, row.index(who)] > seen[:, :, row.index(whom)]
        weight += seen[:, :, row.index(who)]
        total += 1
    return right / count, weight / count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1400)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    torch.manual_seed(1)
    words = Words(list(SPECIAL), pieces(), "[UNK]")
    model, stream = Bert(len(words.texts)), events.triples(1)

    def loss_of(_):
        text, same, other = zip(*itertools.islice(stream, BATCH))
        ids, lengths = encode(words, text + same + other)
        texts, candidates = model.vectors(ids, lengths).split((BATCH, 2 * BATCH))
        return contrast(texts, candidates, SCALE) + 0.2 * guessing_loss(model, ids[:BATCH], lengths[:BATCH])

    fit(model, loss_of, args.steps, peak=1.5e-3, report=lambda: figures(model, words, 400))
    save(args.out, "bert", "heed-events", DESCRIPTION, {
        "context_length": CONTEXT, "embedding_length": WIDTH, "feed_forward_length": FEED_FORWARD, "block_count": LAYERS,
        "attention.head_count": HEADS, "attention.head_count_kv": HEADS, "attention.layer_norm_epsilon": 1e-5,
        "attention.causal": False, "pooling_type": 1,
    }, tokens("bert", words.texts, SPECIAL, {
        "tokenizer.ggml.pre": "default", "tokenizer.ggml.token_type_count": 1, "tokenizer.ggml.padding_token_id": PAD,
        "tokenizer.ggml.unknown_token_id": UNKNOWN, "tokenizer.ggml.cls_token_id": CLS, "tokenizer.ggml.bos_token_id": CLS,
        "tokenizer.ggml.seperator_token_id": SEP, "tokenizer.ggml.eos_token_id": SEP, "tokenizer.ggml.mask_token_id": MASK,
    }), model, skip=("guess",))
    print("of the file:", figures(model, words, 2000))
    for name, value in zip(("looks at the right one", "weight there"), looks_back(model, words, 300)):
        print(name, value.numpy().round(2).tolist())


if __name__ == "__main__":
    main()
