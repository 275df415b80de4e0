// Compares Heed's tokenizer with others: the same texts, the same vocabularies, and the differences. Heed's runs in the native
// program, which reads files that have only a vocabulary.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ggufFile } from '../../tools/bench/models/gguf.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { tokenizersOfOthers } from './shelf.mjs'

/** A folder for `body`, whose result it passes on. Other programs see it at the same path. */
export async function inFolder(body) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-tokenizing-'))
  try {
    return await body(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The answers of others.py. */
export async function ask(requests) {
  const { run } = await tokenizersOfOthers()
  return inFolder(async folder => {
    const [input, output] = ['requests', 'answers'].map(name => join(folder, name))
    writeFileSync(input, JSON.stringify(requests))
    await run('python3', [inRoot('tests/real/others.py'), input, output], { capture: true })
    return JSON.parse(readFileSync(output, 'utf8'))
  })
}

/** Runs `heed tokenize` with a vocabulary, which is metadata as `ggufFile` takes them, and answers requests in its format. */
export const withVocabulary = (metadata, requests) =>
  inFolder(folder => {
    const file = join(folder, 'vocabulary.gguf')
    writeFileSync(file, ggufFile({ 'general.architecture': ['string', 'vocabulary'], ...metadata }, []))
    const input = requests.map(request => `${JSON.stringify(request)}\n`).join('')
    const { status, stdout, stderr } = spawnSync(inRoot('tools/heed'), ['tokenize', file, '--jsonl'], {
      input,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    })
    if (status !== 0) throw new Error(stderr)
    return stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
  })

/** Heed's ids of each text. */
export const encoded = async (metadata, texts, options = {}) => {
  const requests = texts.map(text => ({ b64: Buffer.from(text).toString('base64'), add_special: false, ...options }))
  return (await withVocabulary(metadata, requests)).map(({ ids }) => ids)
}

/** The texts for which two lists of ids differ, with both, the tokens named by `name`. */
export const differences = (texts, ours, theirs, name = String) =>
  texts.flatMap((text, i) =>
    ours[i].length === theirs[i].length && ours[i].every((id, at) => id === theirs[i][at])
      ? []
      : [{ text, ours: ours[i].map(name).join(' '), theirs: theirs[i].map(name).join(' ') }],
  )
