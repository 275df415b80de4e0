#!/bin/sh
# Trains the full model on a machine with a GPU for MINUTES minutes; the next call continues the training.
#
#     OUT=FOLDER sh gpu_run.sh MINUTES TOTAL [WARM_START.gguf]
#
# Meanwhile, all cores but two write the training text. The state is in $STATE. The model is written to $OUT after every call, and
# its figures after TOTAL minutes. Needs Python 3.10, PyTorch 2 and numpy.
set -e
cd "$(dirname "$0")"
minutes=$1 total=$2 warm=${3:+--warm-start $3}
state=${STATE:-/tmp/heed-model} early=24
out=${OUT:-$state} model=${OUT:-$state}/heed-stories.gguf
mkdir -p "$state"
[ -f "$state/tokenizer.json" ] || python3 bpe.py --gguf ../heed-stories.gguf --out "$state/tokenizer.json"
setsid python3 shards.py --folder "$state" --count 2000 --rows 2048 --early $early \
    >"$state/shards.log" 2>&1 &
writer=$!
trap 'kill -- -$writer 2>/dev/null || true' EXIT
python3 train.py --folder "$state" --device cuda --config full --minutes "$minutes" --total "$total" --rate 0.02 \
    --early $early $warm >"$state/out.log" 2>&1 || { tail -30 "$state/out.log"; exit 1; }
tail -3 "$state/out.log" && tail -1 "$state/shards.log"
python3 export.py --folder "$state" --out "$model"
if tail -1 "$state/out.log" | grep -q '"over": true'; then
    kill -- -$writer 2>/dev/null || true
    python3 evaluate.py "$model" --count 100 --threads "$(nproc)" --lines "$out/lines.jsonl" | tee "$out/figures.jsonl"
fi
