// Random-weight models of real shapes, written once into the cache folder.
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder } from '../../paths.mjs'
import { ggufHeader, paddedTo } from './gguf.mjs'
import { hyperparameters, shapes, tensorsOf } from './shapes.mjs'
import { randomBlocks, types } from './types.mjs'

/** Increase this when older files can no longer be used. */
const recipe = 3

/**
 * A SentencePiece vocabulary that can tokenize texts: control tokens, one token per byte, then the named ones, and one token for
 * each of many characters. ASCII is split in one way only, so that a random model agrees with its tokenizer, as trained models
 * mostly do.
 */
function tokenizer(vocabulary, { control: controls = [], normal: texts = [] } = {}) {
  const [normal, unknown, control, byte] = [1, 2, 3, 6]
  const bytes = Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`)
  const named = ['<unk>', '<s>', '</s>', ...bytes, ...controls, ...texts]
  const kinds = [unknown, control, control, ...bytes.map(() => byte), ...controls.map(() => control)]
  const ids = Array.from({ length: vocabulary }, (_, id) => id)
  return {
    'tokenizer.ggml.model': ['string', 'llama'],
    'tokenizer.ggml.pre': ['string', 'default'],
    'tokenizer.ggml.add_space_prefix': ['bool', false],
    'tokenizer.ggml.tokens': ['string', ids.map(id => named[id] ?? String.fromCodePoint(0x10000 + id))],
    'tokenizer.ggml.scores': ['f32', ids.map(id => -id)],
    'tokenizer.ggml.token_type': ['i32', ids.map(id => kinds[id] ?? normal)],
    'tokenizer.ggml.bos_token_id': ['u32', 1],
    'tokenizer.ggml.eos_token_id': ['u32', 2],
  }
}

function metadataOf(name, shape, tokens) {
  return {
    'general.architecture': ['string', shape.family],
    'general.name': ['string', name],
    ...hyperparameters(shape),
    ...tokenizer(shape.vocabulary, tokens),
  }
}

function* dataOf({ name, type, bytes, value }) {
  if (value !== undefined) yield Buffer.from(new Float32Array(bytes / 4).fill(value).buffer)
  else yield* randomBlocks(type, bytes / types[type].bytes, name)
  yield Buffer.alloc(paddedTo(bytes) - bytes)
}

/** Whether a process exists; a killed one may have left a partial file. */
function isRunning(id) {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Writes the model of a named shape in a format. `tokens`: {control, normal}, additional tokens of the vocabulary. */
export function writeModel(path, shapeName, format, shape = shapes[shapeName], tokens = {}) {
  writeRandom(path, metadataOf(`random ${shapeName} ${format}`, shape, tokens), tensorsOf(shape, format))
}

function* partsOf(metadata, tensors) {
  yield ggufHeader(metadata, tensors)
  for (const tensor of tensors) yield* dataOf(tensor)
}

/** Writes a file of random weights. */
export const writeRandom = (path, metadata, tensors) => writeParts(path, partsOf(metadata, tensors))

/** Writes a file of buffers, which gets its final name once it is complete. */
export function writeParts(path, parts) {
  mkdirSync(dirname(path), { recursive: true })
  for (const name of readdirSync(dirname(path)).filter(name => /\.partial-\d+$/.test(name))) {
    if (!isRunning(Number(name.split('-').at(-1)))) rmSync(join(dirname(path), name), { force: true })
  }
  const partial = `${path}.partial-${process.pid}`
  const file = openSync(partial, 'w')
  try {
    for (const part of parts) writeFileSync(file, part)
    renameSync(partial, path)
  } finally {
    closeSync(file)
    rmSync(partial, { force: true })
  }
}

/** The path of a file in the cache folder. */
export const pathOf = (name, ending = 'gguf') => join(dirname(cacheFolder()), 'bench', `random-${recipe}`, `${name}.${ending}`)

/** The path of a model in the cache folder; writes the file if it is missing. */
export function modelFile(shapeName, format) {
  const path = pathOf(`${shapeName}-${format}`)
  if (!existsSync(path)) writeModel(path, shapeName, format)
  return path
}
