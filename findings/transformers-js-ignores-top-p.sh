#!/bin/sh
# transformers.js samples with the whole vocabulary (or top_k), whatever top_p says.
#
# Guessed: `generate({ do_sample: true, top_p })` samples from the nucleus, as the library documents the option ("If set to a float below 1,
# only the smallest set of most probable tokens with probabilities that add up to `top_p` or higher are kept for generation"), or refuses it.
# Seen, with @huggingface/transformers 4.3.2, Node 20, a model whose next token is A with probability 0.6, B with 0.2, C and D with 0.1:
#
#     top_p 0.5: A, B, C, D
#     top_k 1: A
#
# The option has a default, is read from generation_config.json and passed on; TopPLogitsWarper is exported. But no code uses it: its call
# is in a comment (src/models/modeling_utils.js, _get_logits_processor), and it would filter nothing. Sampling knows temperature and
# top_k, which is 50 where nobody sets it, so what the tail does looks like the model's own mistakes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund @huggingface/transformers@4.3.2
cat > nucleus.js <<'END'
import { mkdirSync, writeFileSync } from 'node:fs'
import { AutoModelForCausalLM, env, Tensor } from '@huggingface/transformers'

// The fields of Protocol Buffers
const varint = value => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)])
const number = (field, value) => [...varint(field * 8), ...varint(value)]
const bytes = (field, content) => [...varint(field * 8 + 2), ...varint(content.length), ...Buffer.from(content)]

// The parts of an ONNX model: FLOAT is 1, INT64 is 7
const node = (type, inputs, output, attribute = []) =>
  bytes(1, [...inputs.flatMap(name => bytes(1, name)), ...bytes(2, output), ...bytes(4, type), ...attribute])
const constant = (name, type, array) =>
  bytes(5, [...number(1, array.length), ...number(2, type), ...bytes(8, name), ...bytes(9, new Uint8Array(array.buffer))])
const value = (field, name, type, dimensions) => {
  const shape = dimensions.flatMap(size => bytes(1, typeof size === 'string' ? bytes(2, size) : number(1, size)))
  return bytes(field, [...bytes(1, name), ...bytes(2, bytes(1, [...number(1, type), ...bytes(2, shape)]))])
}

// logits[b, s] = 0 * input_ids[b, s] + log of the probabilities
const toFloat = bytes(5, [...bytes(1, 'to'), ...number(3, 1), ...number(20, 2)])
const graph = [
  ...node('Cast', ['input_ids'], 'ids', toFloat),
  ...node('Unsqueeze', ['ids', 'last'], 'columns'),
  ...node('Mul', ['columns', 'zero'], 'zeros'),
  ...node('Add', ['zeros', 'row'], 'logits'),
  ...bytes(2, 'graph'),
  ...constant('last', 7, BigInt64Array.of(-1n)),
  ...constant('zero', 1, Float32Array.of(0)),
  ...constant('row', 1, Float32Array.from([0.6, 0.2, 0.1, 0.1], Math.log)),
  ...value(11, 'input_ids', 7, ['b', 's']),
  ...value(11, 'attention_mask', 7, ['b', 's']),
  ...value(12, 'logits', 1, ['b', 's', 4]),
]
mkdirSync('models/dice/onnx', { recursive: true })
writeFileSync('models/dice/onnx/model.onnx', Buffer.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, number(2, 13))]))
writeFileSync('models/dice/config.json', JSON.stringify({ model_type: 'gpt2', vocab_size: 4, n_layer: 1, n_head: 1, n_embd: 4, n_positions: 1024 }))

Object.assign(env, { allowRemoteModels: false, localModelPath: 'models/' })
const model = await AutoModelForCausalLM.from_pretrained('dice', { dtype: 'fp32' })
const inputs = { input_ids: new Tensor('int64', [0n], [1, 1]), attention_mask: new Tensor('int64', [1n], [1, 1]) }
async function sampled(options) {
  const [ids] = (await model.generate({ ...inputs, ...options, do_sample: true, max_new_tokens: 300 })).tolist()
  const letters = [...new Set(ids.slice(1).map(id => 'ABCD'[Number(id)]))].sort().join(', ')
  console.log(`${Object.entries(options).flat().join(' ')}: ${letters}`)
  return letters
}
const seen = [await sampled({ top_p: 0.5 }), await sampled({ top_k: 1 })]
process.exit(seen[0] === 'A, B, C, D' && seen[1] === 'A' ? 0 : 1)
END
node nucleus.js
