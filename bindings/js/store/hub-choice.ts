// Chooses the files of the requested model in a hub's repository. Repositories also have companions of a model (image projectors,
// drafters, adapters, importance matrices), with any names. Names decide most cases; if several files remain, their headers decide.
import { refuse } from '../wire/errors.js'
import type { HubFile } from './hub-file.js'
import { allParts, splitName } from './split-name.js'

/** A file in a hub's listing. */
export interface Listed {
  path: string
  size?: number
  lfs?: { oid: string; size: number }
}

/** Names that a model's file never has: mmproj-NAME, NAME.mmproj-Q8_0, mtp-NAME (drafters), NAME-imatrix, imatrix_NAME. */
const companion = /(^|[-._/])mmproj([-._/]|$)|(^|\/)(imatrix|mtp)[-._/]|(^|[-._/])imatrix$/i

/**
 * Names of files beside a model, such as adapters and drafters. If all files of the repository have such names, they count as
 * models: some repositories contain only adapters or drafters.
 */
const perhapsCompanion = /(^|[-._/])(lora|adapter|projector|draft|dflash|eagle\d?|vocoder|audiodecoder|tokenizer|vocab)([-._/]|$)/i

/** GGUF files, and models of whisper.cpp, which converts others to `ggml-NAME.bin`. */
const modelName = /\.gguf$|(^|\/)ggml-[^/]*\.bin$/i

const withoutEnd = (path: string) => path.replace(/\.(gguf|bin)$/i, '')

function modelsAmong(paths: readonly string[]): string[] {
  const models = paths.filter(path => modelName.test(path) && !companion.test(withoutEnd(path)))
  const others = models.filter(path => !perhapsCompanion.test(withoutEnd(path)))
  return others.length > 0 ? others : models
}

const firstParts = (paths: readonly string[]) => paths.filter(path => (splitName(path)?.number ?? 1) === 1)

/** A quantization, as a whole word. `UD-` and `i1-` state how its types or its importance matrix were chosen. */
const words = /(?<=^|[-._])(?:UD-|i1-)?(?:I?Q\d\w*|TQ\d\w*|(?:MX|NV)FP4\w*|BF16|FP?16|FP?32)(?=[-._]|$)/gi

/** The last quantization in the name of a file or, if there is none, of its folder. */
function quantizationOf(path: string): string | undefined {
  const names = (splitName(path)?.title ?? path).split('/').reverse()
  for (const name of names) {
    const found = withoutEnd(name).match(words)?.at(-1)
    if (found) return found
  }
  return undefined
}

/** The name of a file without its quantization: its stem. Most files of a repository have the same stem as its model. */
const stemOf = (path: string) => (splitName(path)?.title ?? path).split('/').at(-1)!.replace(words, '')

const folded = (quantization?: string) => quantization?.toLowerCase().replace(/^fp/, 'f')
const plain = (quantization?: string) => folded(quantization)?.replace(/^(ud|i1)-/, '')

/** `isModel` reads the header of a file. Throws `invalid-argument` unless exactly one file or split model matches. */
export async function choose(
  file: HubFile,
  listed: readonly Listed[],
  isModel: (path: string) => Promise<boolean>,
): Promise<string[]> {
  const models = modelsAmong(listed.map(({ path }) => path))
  const there = `Available: ${offered(models).join(', ') || 'no GGUF models'}`
  const parts = allParts(file.path ?? (await only(file, listed, models, isModel, there)))
  const missing = parts.filter(part => !listed.some(({ path }) => path === part))
  if (missing.length > 0) throw refuse(`${file.repo} has no file ${missing.join(', ')}. ${there}`)
  return parts
}

/** The most headers to read: larger numbers of files usually differ in quantization only. */
const mostAsked = 8

async function only(
  { repo, quantization: wanted }: HubFile,
  listed: readonly Listed[],
  models: readonly string[],
  isModel: (path: string) => Promise<boolean>,
  there: string,
): Promise<string> {
  const firsts = firstParts(models)
  const exact = firsts.filter(path => !wanted || folded(quantizationOf(path)) === folded(wanted))
  let left = exact.length > 0 ? exact : firsts.filter(path => plain(quantizationOf(path)) === folded(wanted))
  // Identifies files by their checksums, to drop duplicates.
  const sumOf = (path: string) => listed.find(other => other.path === path)?.lfs?.oid ?? path
  left = left.filter((path, index) => left.findIndex(other => sumOf(other) === sumOf(path)) === index)
  const isOdd = left.length === 1 && firsts.length > 1 && firsts.filter(path => stemOf(path) === stemOf(left[0]!)).length === 1
  if (isOdd || (left.length > 1 && left.length <= mostAsked)) {
    const are = await Promise.all(left.map(isModel))
    left = left.filter((_, index) => are[index])
  }
  if (left.length === 1) return left[0]!
  if (left.length === 0) throw refuse(`${repo} has no ${wanted ?? 'model'}. ${there}`)
  throw refuse(
    wanted
      ? `${repo} has more than one ${wanted}: ${left.join(', ')}. Name the file: hf:${repo}/${left[0]}`
      : `Which model of ${repo}? ${there}`,
  )
}

/** The choices for an error message: quantizations, or the paths of files without one in their name. */
const offered = (models: readonly string[]) => [...new Set(firstParts(models).map(path => quantizationOf(path) ?? path))].sort()
