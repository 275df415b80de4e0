#!/bin/sh
# The metadata of a GGUF file of T5, XLM-R or bge-m3 can be read by @huggingface/gguf, and not be written again.
#
# Guessed: what gguf() gives with `typedMetadata` goes into serializeGgufMetadata() and buildGgufHeader(), which is what it is for, so a file
# whose name or license is edited needs nothing more.
# Seen, with @huggingface/gguf 0.4.6, Node 20: arrays of bytes (UINT8, the type with number 0) throw, arrays of every other type do not:
#
#     UINT8: read as {"value":[1,2,3],"type":9,"subType":0}, written: Error: Array type requires subType to be specified
#     INT8: read as {"value":[1,2,3],"type":9,"subType":1}, written: the same bytes
#     UINT32: read as {"value":[1,2,3],"type":9,"subType":4}, written: the same bytes
#
# The type is there, and counts as absent since it is 0 (`!subType`). Tokenizers of SentencePiece's Unigram kind keep their normalization in
# such an array, tokenizer.ggml.precompiled_charsmap, so it is embedding models of many languages that cannot be edited, while every
# Llama, Qwen or Gemma one tries can. Removing the array to get around it would change the tokens.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund @huggingface/gguf@0.4.6
cat > bytes.js <<'END'
import { writeFileSync } from 'node:fs'
import { gguf, GGUFValueType, serializeGgufMetadata } from '@huggingface/gguf'

const bytesOf = array => [...new Uint8Array(array.buffer)]
const u32 = value => bytesOf(Uint32Array.of(value))
const u64 = value => bytesOf(BigUint64Array.of(BigInt(value)))
const string = text => [...u64(text.length), ...Buffer.from(text)]

/** A GGUF file without tensors, with an architecture and an array of three elements; 32 bytes of alignment. */
function file(type, elements) {
  const architecture = [...string('general.architecture'), ...u32(GGUFValueType.STRING), ...string('t5')]
  const array = [...string('tokenizer.ggml.precompiled_charsmap'), ...u32(GGUFValueType.ARRAY), ...u32(type), ...u64(3), ...bytesOf(elements)]
  const header = [...Buffer.from('GGUF'), ...u32(3), ...u64(0), ...u64(2), ...architecture, ...array]
  return Uint8Array.from([...header, ...Array(-header.length & 31).fill(0)])
}

async function result(name, elements) {
  const bytes = file(GGUFValueType[name], elements)
  writeFileSync('model.gguf', bytes)
  const { typedMetadata } = await gguf('model.gguf', { allowLocalFile: true, typedMetadata: true })
  let written
  try {
    written = Buffer.compare(serializeGgufMetadata(typedMetadata), bytes) === 0 ? 'the same bytes' : 'other bytes'
  } catch (error) {
    written = `${error}`
  }
  console.log(`${name}: read as ${JSON.stringify(typedMetadata['tokenizer.ggml.precompiled_charsmap'])}, written: ${written}`)
  return written
}

const written = [
  await result('UINT8', Uint8Array.of(1, 2, 3)),
  await result('INT8', Int8Array.of(1, 2, 3)),
  await result('UINT32', Uint32Array.of(1, 2, 3)),
]
const expected = ['Error: Array type requires subType to be specified', 'the same bytes', 'the same bytes']
process.exit(written.join() === expected.join() ? 0 : 1)
END
node bytes.js
