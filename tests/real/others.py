# SentencePiece and Hugging Face's tokenizers, for tests that compare ours with them: `others.py REQUESTS ANSWERS`, both lists in JSON.
# {"train": {options of SentencePieceTrainer}}: null; {"spm" or "hf": file, "texts": [...]}: the ids of each text, without those of the
# tokens that a model puts around it; {"spm": file, "ids": [...]}: the text of each list of ids.
import json
import sys


def with_sentencepiece(request):
    import sentencepiece
    if "train" in request:
        return sentencepiece.SentencePieceTrainer.train(minloglevel=2, **request["train"])
    processor = sentencepiece.SentencePieceProcessor(model_file=request["spm"])
    return processor.decode(request["ids"]) if "ids" in request else processor.encode(request["texts"], out_type=int)


def with_tokenizers(request):
    import tokenizers
    encodings = tokenizers.Tokenizer.from_file(request["hf"]).encode_batch(request["texts"], add_special_tokens=False)
    return [encoding.ids for encoding in encodings]


with open(sys.argv[1], encoding="utf-8") as file:
    requests = json.load(file)
answers = [with_tokenizers(request) if "hf" in request else with_sentencepiece(request) for request in requests]
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(answers, file, separators=(",", ":"))
