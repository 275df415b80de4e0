// The line of facts about the current model, and advice for its user.
import type { Model, ModelInfo } from 'heed'
import { make } from '../support/dom.js'
import { bytes, foreign, large, plural } from '../support/format.js'
import { kindOf } from './kind.js'

function shape(info: ModelInfo): string {
  const kind = kindOf(info)
  if (kind === 'sees') return `${plural(info.visionLayers, 'layer')} of ${plural(info.visionHeads, 'head')}`
  if (info.heads === 0) return `${plural(info.layers, 'layer')} without attention`
  const layers =
    kind === 'answers' || kind === 'hears' ? `${info.encoderLayers} + ${info.layers} layers` : plural(info.layers, 'layer')
  return `${layers} of ${plural(info.heads, 'head')}`
}

/** A readable name for a weight format: most codes contain the number of bits. */
export function weightFormat(code: string): string {
  const [, kind, bits] = /^(I?Q|TQ|MXFP|BF|F)(\d+)/.exec(code) ?? []
  if (!bits) return code
  return `${bits}-bit ${kind!.endsWith('F') || kind === 'MXFP' ? 'floats' : 'weights'} (${code})`
}

type Fact = [term: string, value: string, code?: string]

const facts = (info: ModelInfo): Fact[] => [
  ['Family', info.architecture],
  ['Weights', weightFormat(info.weights)],
  ['Size', `${large(info.parameters)} parameters`],
  ['Shape', shape(info)],
  ...(info.experts > 0 ? [['Experts', `${info.expertsUsed} of ${info.experts} experts`] satisfies Fact] : []),
  kindOf(info) === 'sees'
    ? ['Patches', `${info.patches} × ${info.patches} patches`]
    : ['Context', `${info.contextLength} tokens of context`],
  ['Threads', info.threads === 1 ? 'one thread' : `${info.threads} threads`],
  [
    'WebAssembly',
    (info.simd === 'relaxed' ? 'relaxed SIMD' : '128-bit SIMD') + (info.memory64 ? ', 64-bit memory' : ''),
    info.target,
  ],
  ['Memory', `${bytes(info.memoryBytes)} of memory`, `at most ${bytes(info.mostMemoryBytes)} with a full context`],
]

function advice(info: ModelInfo): string[] {
  const lines = []
  if (info.threads === 1 && !globalThis.crossOriginIsolated) {
    lines.push('This page has only one thread, so it is slower: it is not cross-origin isolated.')
  }
  return lines
}

/** `fill` is called when the user opens the file's metadata. */
export function showFacts(
  place: HTMLElement,
  model: Model | undefined,
  name = '',
  fill: (place: HTMLElement) => void = () => {},
): void {
  if (!model) return place.replaceChildren()
  const list = make(
    'dl',
    {},
    ...facts(model.info).map(([term, value, code]) =>
      make('div', { title: code ?? '' }, make('dt', {}, term), make('dd', {}, value)),
    ),
  )
  const metadata = make('div')
  const folded = make('details', { className: 'metadata' }, make('summary', {}, 'Metadata of the file'), metadata)
  folded.addEventListener('toggle', () => fill(metadata), { once: true })
  const open = place.querySelector('details')?.open // stays open, to compare two models
  place.replaceChildren(
    make('p', { className: 'model-name' }, foreign(model.info.name || name)),
    make('p', { className: 'model-size' }, `${large(model.info.parameters)} parameters`),
    ...(model.info.acceptsImages || model.info.embedsImages ? [make('p', { className: 'model-sees' }, 'sees pictures')] : []),
    make('details', { open }, make('summary', {}, 'Details'), list, folded),
    ...advice(model.info).map(line => make('p', { className: 'advice' }, line)),
  )
}
