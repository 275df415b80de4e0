// A link to the page's state: model, prompt, seed, settings, and selection. The same seed gives the same text on every machine, so
// the link reproduces the text.
import type { AttentionOf } from 'heed'
import type { Head, HeadOfLayer, Measure, PanelName } from 'heed/viewer'
import type { Source } from '../model/slot.js'
import { sliders } from '../support/sliders.generated.js'

/** A cell of the lens: a row, counted from the input of the first layer, and the position of a token. */
export interface Cell {
  readonly row: number
  readonly position: number
}

/** The parts of any link. */
export interface Selected {
  /** The address of the model; by default, the bundled model. */
  model?: string
  /** The address of its projector, for a model that reads images. */
  projector?: string
  kind?: AttentionOf
  layer?: number
  head?: Head
  token?: number
  /** The measure of attention shown; by default, the weights. */
  measure?: Measure
  /** The open panel below the map, and the heads that it shows side by side. */
  panel?: PanelName
  heads?: readonly HeadOfLayer[]
  /** The text to compare with, if two sentences are compared there. */
  sentence?: string
  /** The lens is open, with a cell selected. */
  lens?: Cell | 'open'
  /** Attribution is open. */
  attribution?: 'open'
  /** Edits are open, with these in the list, as JSON (edits/edits.ts). */
  edits?: string
  /**
   * The parts of the lab are open, with what they show as JSON, or `open` (sweep/plan.ts, features/state.ts,
   * compare/compare-view.ts).
   */
  sweep?: string
  features?: string
  compare?: string
}

export interface Linked extends Selected {
  prompt: string
  /** The seed of the generated text. Without one, the prompt is shown and nothing is generated. */
  seed?: number
  settings?: Readonly<Record<string, number>>
  length?: 'sentence' | 'text'
}

const settingNames = sliders.map(({ option }) => option)
const measures: readonly string[] = ['values', 'rollout'] satisfies Measure[]
const panels: readonly string[] = ['overview', 'heads', 'layers', 'inside', 'drawing', 'sentences'] satisfies PanelName[]
const kinds: readonly string[] = ['decoder', 'encoder', 'cross'] satisfies AttentionOf[]

/** Files are not linked: a file of the same name elsewhere is another file. */
const isAddress = (text: string | null) => text !== null && /^(https?|hf):/i.test(text) && URL.canParse(text)

/** Layers and heads count from 1 in links. */
const headIn = (head: Head) => (head === 'mean' ? head : head + 1)

/** The address of `page` with values and the selection in its hash. */
export function withSelected(
  page: string,
  values: object,
  { model, projector, kind, layer, head, token, measure, panel, heads, sentence, lens, ...folded }: Selected,
): string {
  const parts = new URLSearchParams()
  const flat = {
    model,
    projector,
    ...values,
    kind,
    layer: layer === undefined ? undefined : layer + 1,
    head: head === undefined ? head : headIn(head),
    token,
    measure: measure === 'weights' ? undefined : measure,
    panel,
    heads: panel === 'heads' ? heads?.map(one => `${one.layer + 1}.${headIn(one.head)}`).join('_') : undefined,
    sentence: panel === 'sentences' ? sentence : undefined,
    lens: typeof lens === 'object' ? `${lens.row}.${lens.position}` : lens,
    attribution: folded.attribution,
    edits: folded.edits,
    sweep: folded.sweep,
    features: folded.features,
    compare: folded.compare,
  }
  for (const [name, value] of Object.entries(flat)) {
    if (value !== undefined) parts.set(name, `${value}`)
  }
  const url = new URL(page)
  url.hash = parts.toString()
  return url.href
}

/** The address of `page` with the state in its hash. */
export const linkTo = (page: string, { settings, prompt, seed, length, ...selected }: Linked): string =>
  withSelected(page, { prompt, seed, length, ...settings }, selected)

/** A link's hash with another layer and head; undefined if it is not a link to this room. */
export function withHead(
  hash: string,
  room: string,
  { layer, head, kind }: Required<Pick<Selected, 'layer' | 'head' | 'kind'>>,
): string | undefined {
  const parts = new URLSearchParams(hash.slice(1))
  if (!parts.has(room === 'chat' ? 'chat' : 'prompt')) return undefined
  parts.set('layer', `${layer + 1}`)
  parts.set('head', `${headIn(head)}`)
  if (parts.has('kind')) parts.set('kind', kind) // each kind has layers of its own
  return `#${parts}`
}

function numberIn(parts: URLSearchParams, name: string): number | undefined {
  const text = parts.get(name)
  const value = Number(text)
  return text === null || text === '' || !Number.isFinite(value) || value < 0 ? undefined : value
}

function lensIn(text: string | null): Selected['lens'] {
  const [, row, position] = /^(\d{1,4})\.(\d{1,7})$/.exec(text ?? '') ?? []
  if (row !== undefined) return { row: Number(row), position: Number(position) }
  return text === 'open' ? text : undefined
}

/** Heads of layers, such as `3.mean_3.1`; undefined if any is invalid. */
function headsIn(text: string | null): HeadOfLayer[] | undefined {
  const all = text?.split('_').map(one => /^([1-9]\d{0,3})\.(mean|[1-9]\d{0,3})$/.exec(one)) ?? []
  if (all.length === 0 || all.includes(null)) return undefined
  return all.map(found => ({ layer: Number(found![1]) - 1, head: found![2] === 'mean' ? 'mean' : Number(found![2]) - 1 }))
}

/** The selection in a hash. Invalid values are ignored. */
export function selectedIn(parts: URLSearchParams): Selected {
  const index = (name: string, from: number) => {
    const value = numberIn(parts, name)
    return Number.isInteger(value) && value! >= from ? value! - from : undefined
  }
  const kind = parts.get('kind'),
    panel = parts.get('panel'),
    measure = parts.get('measure')
  return {
    model: isAddress(parts.get('model')) ? parts.get('model')! : undefined,
    projector: isAddress(parts.get('projector')) ? parts.get('projector')! : undefined,
    kind: kind !== null && kinds.includes(kind) ? (kind as AttentionOf) : undefined,
    layer: index('layer', 1),
    head: parts.get('head') === 'mean' ? 'mean' : index('head', 1),
    token: index('token', 0),
    measure: measure !== null && measures.includes(measure) ? (measure as Measure) : undefined,
    panel: panel !== null && panels.includes(panel) ? (panel as PanelName) : undefined,
    heads: headsIn(parts.get('heads')),
    sentence: parts.get('sentence') ?? undefined,
    lens: lensIn(parts.get('lens')),
    attribution: parts.get('attribution') === 'open' ? 'open' : undefined,
    edits: parts.get('edits') ?? undefined,
    sweep: parts.get('sweep') ?? undefined,
    features: parts.get('features') ?? undefined,
    compare: parts.get('compare') ?? undefined,
  }
}

/** The state in a hash; undefined if it contains none. Invalid values are ignored. */
export function readLink(hash: string): Linked | undefined {
  if (!hash.includes('prompt=')) return undefined
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const prompt = parts.get('prompt') ?? ''
  const settings = settingNames.flatMap(name => {
    const value = numberIn(parts, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const length = parts.get('length')
  const seed = numberIn(parts, 'seed')
  return {
    ...selectedIn(parts),
    prompt,
    seed: Number.isSafeInteger(seed) ? seed : undefined,
    settings: Object.fromEntries(settings),
    length: length === 'sentence' || length === 'text' ? length : undefined,
  }
}

const isLocal = (source: unknown): boolean => source !== undefined && (typeof source !== 'string' || source.startsWith('store:'))

/** The addresses of the files of a model; undefined if one of them exists on this machine only. */
export function addressesOf(source: Source | undefined): Pick<Selected, 'model' | 'projector'> | undefined {
  const [model, projector] = [source?.data, source?.projector?.data]
  return isLocal(model) || isLocal(projector)
    ? undefined
    : { model: model as string | undefined, projector: projector as string | undefined }
}

export const noLinkToFile = 'A link cannot include a local model file: load the model from a URL.'
