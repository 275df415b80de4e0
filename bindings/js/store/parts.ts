// The parts of a split model: whether they belong together, and their order.
import { HeedError } from '../wire/errors.js'
import { wrongFile } from './errors.js'
import { checkLength, extentOf } from './extent.js'
import { type GgufHeader, numberOf, readHeader } from './gguf-header.js'
import type { ModelFile } from './model-file.js'
import { splitName } from './split-name.js'

export interface Part {
  file: ModelFile
  header: GgufHeader
  /** The number of the part, from 0. */
  number: number
}

/** The most missing parts that a message lists: a file may claim any number of parts. */
const mostListed = 20

const list = (numbers: readonly number[]) => numbers.map(number => number + 1).join(', ')

/** Reads the header of a part. Fails with `invalid-file` for a file that is not a part, or shorter than its header says. */
export async function readPart(file: ModelFile): Promise<Part> {
  const header = await readHeader(file)
  const number = numberOf(header.pairs, 'split.no')
  if (number === undefined) throw wrongFile(`${file.name} is not part of a split model: it has no split.no`)
  if (file.cached === undefined && file.size !== undefined) checkLength(file.name, file.size, extentOf(header))
  return { file, header, number }
}

/** Checks that the parts belong to one model, and sorts them by number. Fails with `invalid-file`. */
export function inOrder(parts: readonly Part[]): Part[] {
  const counts = parts.map(({ header }) => numberOf(header.pairs, 'split.count') ?? 0)
  const count = counts[0]!
  const foreign = counts.findIndex(other => other !== count)
  if (foreign >= 0) {
    throw wrongFile(
      `${parts[foreign]!.file.name} belongs to another model, of ${counts[foreign]} parts; ` +
        `${parts[0]!.file.name} belongs to one of ${count}`,
    )
  }
  const sorted: Record<number, Part> = {}
  for (const part of parts) {
    const { number, file } = part
    if (number < 0 || number >= count) throw wrongFile(`${file.name}: part ${number + 1} of ${count}`)
    if (sorted[number]) throw wrongFile(`${file.name} and ${sorted[number].file.name} are both part ${number + 1} of ${count}`)
    sorted[number] = part
  }
  if (parts.length < count) {
    const missing: number[] = []
    for (let number = 0; number < count && missing.length < mostListed; number++) if (!sorted[number]) missing.push(number)
    const others = count - parts.length - missing.length
    throw wrongFile(
      `${parts[0]!.file.name} is one of ${count} parts; missing: ${list(missing)}${others > 0 ? ` and ${others} more` : ''}`,
    )
  }
  const inTurn = parts.map((_, number) => sorted[number]!)
  checkNames(inTurn)
  checkMetadata(inTurn)
  checkTensors(inTurn)
  checkTypes(inTurn)
  return inTurn
}

const belongsElsewhere = ({ file }: Part, why: string) => wrongFile(`${file.name} belongs to another model: ${why}`)

/** Checks that parts named by gguf-split have the same title. */
function checkNames([first, ...others]: readonly Part[]): void {
  const title = splitName(first!.file.name)?.title
  for (const part of others) {
    const own = splitName(part.file.name)?.title
    if (title && own && own !== title) throw belongsElsewhere(part, `the other parts are of ${title}`)
  }
}

/** Checks that metadata repeated in later parts equals that of the first. */
function checkMetadata([first, ...others]: readonly Part[]): void {
  const pairs = new Map(first!.header.pairs.map(pair => [pair.key, pair]))
  for (const part of others) {
    for (const { key, bytes, value } of part.header.pairs) {
      const expected = pairs.get(key)
      if (!expected || key === 'split.no') continue
      if (bytes.length === expected.bytes.length && bytes.every((byte, index) => byte === expected.bytes[index])) continue
      throw belongsElsewhere(
        part,
        value === undefined || expected.value === undefined
          ? `its ${key} is not that of ${first!.file.name}`
          : `its ${key} is ${value}, that of ${first!.file.name} ${expected.value}`,
      )
    }
  }
}

function checkTensors(parts: readonly Part[]): void {
  const seen = new Map<string, Part>()
  for (const part of parts) {
    for (const { name, length } of part.header.tensors) {
      const twin = seen.get(name)
      if (twin) throw belongsElsewhere(part, `${twin.file.name} also has its tensor ${name}`)
      if (length === undefined) throw new HeedError('unsupported', `${part.file.name}: the type of tensor ${name} is not supported`)
      seen.set(name, part)
    }
  }
  const [first] = parts
  const expected = numberOf(first!.header.pairs, 'split.tensors.count')
  if (expected !== undefined && expected !== seen.size) {
    throw wrongFile(
      `The parts of ${first!.file.name} have ${seen.size} tensors in all, but should have ${expected}: ` +
        'one of them belongs to another model',
    )
  }
}

/** How many kinds of matrices must differ in type: a quantization may use other types for a few kinds in some blocks. */
const leastKinds = 3

/**
 * Detects a part of another quantization with the same tensors: no kind of matrix that it shares with the other parts has a type
 * here that it has there.
 */
function checkTypes(parts: readonly Part[]): void {
  const types = parts.map(({ header }) => typesOfMatrices(header))
  types.forEach((own, index) => {
    const others = types.filter(other => other !== own)
    const shared = [...own].filter(([kind]) => others.some(other => other.has(kind)))
    const isForeign =
      shared.length >= leastKinds &&
      shared.every(([kind, set]) => others.every(other => [...(other.get(kind) ?? [])].every(type => !set.has(type))))
    if (isForeign) throw belongsElsewhere(parts[index]!, 'its tensors are of other types than those of the other parts')
  })
}

/** The types of the blocks' matrices, by their names without the number of the block. */
function typesOfMatrices({ tensors }: GgufHeader): Map<string, Set<number>> {
  const types = new Map<string, Set<number>>()
  for (const { name, dimensions, type } of tensors) {
    const [, kind] = /^blk\.\d+\.(.+)$/.exec(name) ?? []
    if (!kind || dimensions < 2) continue
    const known = types.get(kind)
    if (known) known.add(type)
    else types.set(kind, new Set([type]))
  }
  return types
}
