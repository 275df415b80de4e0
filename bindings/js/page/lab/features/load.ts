// Loads a dictionary of features: finds out which format its files have, and checks it against the model.
import type { FeatureDictionary, FeaturesSource } from '../../../types/index.js'
import { HeedError, refuse } from '../../../wire/errors.js'
import { pointNamed, wordFor } from '../../../wire/points.js'
import type { WirePoint } from '../../../wire/protocol.js'
import { isObject } from '../../readers.js'
import type { Desk } from '../desk.js'
import { readNpy } from '../formats/npy.js'
import { readSafetensors } from '../formats/safetensors.js'
import { damaged } from '../formats/tensor.js'
import { readZip } from '../formats/zip.js'
import { readLabOptions } from '../options.js'
import type { Dictionary } from './dictionary.js'
import { runWithFeatures } from './edits.js'
import { saelens, scope1, scope2, type Tensors, type Told, tracer } from './read-dictionary.js'
import { type Files, filesOf } from './sources.js'

/** Bytes that a member of an archive may have: more than the largest dictionary of Gemma Scope. */
const mostMember = 2 ** 34

export async function loadFeatures(desk: Desk, source: FeaturesSource, options: unknown): Promise<FeatureDictionary> {
  const { hook, hookOut, normScale, ...rest } = readLabOptions('loadFeatures', options)
  const files = filesOf(desk, source, rest)
  const points = new Map((await desk.connection.call({ type: 'points' })).map(point => [point.point, point]))
  const has = (name: string) => points.has(name)
  const word = (name: string) => wordFor(name, has) ?? refused(`hook ${name} is not known`)
  const told: Told = { hook, hookOut, normScale }
  const dictionary = await dictionaryOf(files, told, name => {
    try {
      return word(name)
    } catch {
      throw damaged(files.name, `its hook ${name} is not known`)
    }
  })
  check(files.name, dictionary, points, has)
  return Object.assign(dictionary, { run: runWithFeatures })
}

const refused = (message: string): never => {
  throw refuse(`loadFeatures: ${message}`)
}

async function dictionaryOf(files: Files, told: Told, word: (name: string) => string): Promise<Dictionary> {
  const named = (dictionary: Dictionary) =>
    Object.assign(dictionary, { point: word(dictionary.point), pointOut: word(dictionary.pointOut) })
  const tensorsIn = async (name: string): Promise<Tensors> => {
    const bytes = await files.read(name)
    if (!bytes) throw damaged(files.name, `there is no ${name}`)
    return readSafetensors(bytes, name)
  }
  const npz = files.only?.endsWith('.npz') ? files.only : 'params.npz'
  if (!files.only?.endsWith('.npz')) {
    const layer = /^layer_(\d+)\.safetensors$/.exec(files.only ?? '')?.[1]
    const yaml = layer === undefined ? undefined : await files.read('config.yaml')
    if (yaml) return named(tracer(files.only!, plainYaml(yaml, 'config.yaml'), Number(layer), await tensorsIn(files.only!), told))
    const cfg = await files.read('cfg.json')
    if (cfg)
      return named(saelens(files.name, jsonOf(cfg, 'cfg.json'), await tensorsIn(files.only ?? 'sae_weights.safetensors'), told))
    const config = await files.read('config.json')
    if (config)
      return named(scope2(files.name, jsonOf(config, 'config.json'), await tensorsIn(files.only ?? 'params.safetensors'), told))
    if (files.only) throw damaged(files.name, 'there is no cfg.json, config.json or config.yaml beside it')
  }
  const bytes = await files.read(npz)
  if (!bytes) throw new HeedError('io', `loadFeatures: ${files.name}: there is no cfg.json, config.json or params.npz`)
  const members = await readZip(bytes, npz, mostMember)
  const arrays = [...members].filter(([name]) => name.endsWith('.npy'))
  return named(scope1(npz, new Map(arrays.map(([name, data]) => [name.slice(0, -4), readNpy(data, `${npz}: ${name}`)])), told))
}

function jsonOf(bytes: Uint8Array, file: string): Record<string, unknown> {
  try {
    const config: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (isObject(config)) return config
  } catch {}
  throw damaged(file, 'is not a JSON object')
}

/** Reads the top-level lines `key: value` of a dictionary's config.yaml; no other YAML is needed. */
function plainYaml(bytes: Uint8Array, file: string): Record<string, unknown> {
  const lines = new TextDecoder().decode(bytes).split('\n')
  const pairs = lines.flatMap(line => {
    const [, key, value] =
      /^(\w+):\s*(?:"([^"]*)"|'([^']*)'|([^#\s][^#]*?))?\s*(?:#.*)?$/.exec(line)?.flatMap(part => part ?? []) ?? []
    if (key === undefined || value === undefined) return []
    return [[key, /^\d+$/.test(value) ? Number(value) : value] as const]
  })
  if (pairs.length === 0) throw damaged(file, 'has no lines of keys and values')
  return Object.fromEntries(pairs)
}

function check(
  file: string,
  { point, pointOut, width, widthOut }: Dictionary,
  points: ReadonlyMap<string, WirePoint>,
  has: (name: string) => boolean,
): void {
  for (const [name, numbers] of [
    [point, width],
    [pointOut, widthOut],
  ] as const) {
    const found = points.get(pointNamed(name, has))
    if (!found) throw new HeedError('invalid-argument', `loadFeatures: ${file}: this model has no ${name}`)
    const size = found.parts * found.width
    if (size !== numbers)
      throw new HeedError(
        'invalid-argument',
        `loadFeatures: ${file}: it is for ${numbers} numbers, but ${name} has ${size} in this model`,
      )
  }
}
