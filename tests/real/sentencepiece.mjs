// Models of SentencePiece, trained by SentencePiece itself on real prose and kept in the cache folder, as llama.cpp's converter
// (convert_hf_to_gguf.py) writes them down.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../../tools/paths.mjs'
import { prose } from './prose.mjs'
import { ask, inFolder } from './tokenizing.mjs'

const kinds = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 }

/** The fields of a protocol buffer, {number: [values]}: numbers, or bytes. */
function fields(bytes) {
  const found = {}
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = varint(),
      type = tag % 8
    const length = type === 2 ? varint() : 8
    const value = type === 0 ? varint() : type === 5 ? bytes.readFloatLE((at += 4) - 4) : bytes.subarray(at, (at += length))
    ;(found[tag >> 3] ??= []).push(value)
  }
  return found
}

/** The parts that sentencepiece_model.proto calls pieces and normalizer_spec. */
export function readModel(file) {
  const model = fields(readFileSync(file))
  const normalizer = fields(model[3][0])
  const is = (number, otherwise) => Boolean(normalizer[number]?.[0] ?? otherwise)
  return {
    pieces: model[1]
      .map(fields)
      .map(piece => ({ text: piece[1][0].toString(), score: piece[2]?.[0] ?? 0, kind: piece[3]?.[0] ?? kinds.normal })),
    charsmap: normalizer[2]?.[0] ?? Buffer.alloc(0),
    prefix: is(3, true),
    removesSpaces: is(4, true),
  }
}

const rules = ({ charsmap, prefix, removesSpaces }) => ({
  'tokenizer.ggml.add_space_prefix': ['bool', prefix],
  'tokenizer.ggml.remove_extra_whitespaces': ['bool', removesSpaces],
  ...(charsmap.length > 0 && { 'tokenizer.ggml.precompiled_charsmap': ['u8', [...charsmap]] }),
})
const vocabulary = (model, pieces) => ({
  'tokenizer.ggml.model': ['string', model],
  'tokenizer.ggml.pre': ['string', 'default'],
  'tokenizer.ggml.tokens': ['string', pieces.map(({ text }) => text)],
  'tokenizer.ggml.scores': ['f32', pieces.map(({ score }) => score)],
  'tokenizer.ggml.token_type': ['i32', pieces.map(({ kind }) => kind)],
})
/** The converter never asks whether SentencePiece defined a piece for its user. */
const converted = pieces => pieces.map(piece => ({ ...piece, kind: piece.kind === kinds.userDefined ? kinds.normal : piece.kind }))
const padding = (from, to) =>
  Array.from({ length: to - from }, (_, i) => ({ text: `[PAD${from + i}]`, score: -10000, kind: kinds.unused }))

/** As T5's: all ids as they are, and some more, up to the size of the model's embedding. */
export const asT5 = model => ({
  ...vocabulary('t5', [...converted(model.pieces), ...padding(model.pieces.length, model.pieces.length + 28)]),
  ...rules(model),
  'tokenizer.ggml.eos_token_id': ['u32', 1],
  'tokenizer.ggml.unknown_token_id': ['u32', 2],
  'tokenizer.ggml.padding_token_id': ['u32', 0],
  'tokenizer.ggml.add_bos_token': ['bool', false],
  'tokenizer.ggml.add_eos_token': ['bool', true],
})

/** As XLM-RoBERTa's, of which BGE-M3 is one: fairseq's four first, and so all others one later. */
export function asXlmRoberta(model) {
  const first = ['<s>', '<pad>', '</s>', '<unk>'].map(text => ({
    text,
    score: 0,
    kind: text === '<unk>' ? kinds.unknown : kinds.control,
  }))
  const pieces = [...first, ...converted(model.pieces).slice(3, -1), ...padding(model.pieces.length, model.pieces.length + 2)]
  return {
    ...vocabulary('t5', pieces),
    ...rules(model),
    'tokenizer.ggml.token_type_count': ['u32', 1],
    'tokenizer.ggml.bos_token_id': ['u32', 0],
    'tokenizer.ggml.eos_token_id': ['u32', 2],
    'tokenizer.ggml.unknown_token_id': ['u32', 3],
    'tokenizer.ggml.seperator_token_id': ['u32', 2],
    'tokenizer.ggml.padding_token_id': ['u32', 1],
    'tokenizer.ggml.cls_token_id': ['u32', 0],
    'tokenizer.ggml.add_bos_token': ['bool', true],
    'tokenizer.ggml.add_eos_token': ['bool', true],
  }
}

/** As Llama 2's, with byte-pair encoding: the converter leaves the rules of normalization out. */
export const asLlama = model => ({
  ...vocabulary('llama', converted(model.pieces)),
  'tokenizer.ggml.add_space_prefix': ['bool', model.prefix],
  'tokenizer.ggml.bos_token_id': ['u32', 1],
  'tokenizer.ggml.eos_token_id': ['u32', 2],
  'tokenizer.ggml.unknown_token_id': ['u32', 0],
})

const usual = { model_type: 'unigram', vocab_size: 6000, num_threads: 1, hard_vocab_limit: false, shuffle_input_sentence: false }
/** T5's ids of the pieces that every model has. */
export const idsOfT5 = { pad_id: 0, eos_id: 1, unk_id: 2, bos_id: -1 }

/**
 * The file of a model that SentencePiece trains with these options, on every third line of the prose. It is trained once. `files`:
 * the contents of files that options name.
 */
export async function trained(name, options, files = {}) {
  const folder = join(cacheFolder(), 'real/sentencepiece')
  const named = Object.entries(files).filter(([name]) => Object.values(options).includes(name))
  const key = createHash('sha256').update(JSON.stringify([usual, options, named.map(([, file]) => readFileSync(file, 'utf8'))]))
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}-${key.digest('hex').slice(0, 12)}.model`)
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const lines = (await prose()).filter((_, i) => i % 3 === 0)
  await inFolder(async temporary => {
    const [input, prefix] = ['prose.txt', 'made'].map(part => join(temporary, part))
    writeFileSync(input, lines.join('\n'))
    const given = Object.fromEntries(Object.entries(options).map(([option, value]) => [option, files[value] ?? value]))
    await ask([{ train: { input, model_prefix: prefix, ...usual, ...given } }])
    writeFileSync(`${file}.partial`, readFileSync(`${prefix}.model`))
    renameSync(`${file}.partial`, file)
  })
  return file
}
