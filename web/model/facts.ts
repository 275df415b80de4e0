// The line of facts about the model in use, and what its user ought to know.
import type { Model, ModelInfo } from 'heed'
import { make } from '../support/dom.js'
import { bytes, large, plural } from '../support/format.js'
import { kindOf } from './kind.js'

function shape(info: ModelInfo): string {
  const kind = kindOf(info)
  if (kind === 'sees') return `${plural(info.visionLayers, 'layer')} of ${plural(info.visionHeads, 'head')}`
  const layers = kind === 'answers' ? `${info.encoderLayers} + ${info.layers} layers` : plural(info.layers, 'layer')
  return `${layers} of ${plural(info.heads, 'head')}`
}

const facts = (info: ModelInfo): [term: string, value: string][] => [
  ['Architecture', info.architecture],
  ['Weights', info.weights],
  ['Size', `${large(info.parameters)} parameters`],
  ['Shape', shape(info)],
  ...info.experts > 0 ? [['Experts', `${info.expertsUsed} of ${info.experts} experts`] satisfies [string, string]] : [],
  kindOf(info) === 'sees'
    ? ['Patches', `${info.patches} × ${info.patches} patches`] : ['Context', `${info.contextLength} tokens of context`],
  ['Threads', info.threads === 1 ? 'one thread' : `${info.threads} threads`],
  ['WebAssembly module', info.target],
  ['Memory', `${bytes(info.memoryBytes)} of memory`],
]

function advice(info: ModelInfo): string[] {
  const lines = []
  if (info.threads === 1 && !globalThis.crossOriginIsolated) {
    lines.push(
      'This page is not isolated from others, so the browser lends it one thread: all works, only slower.')
  }
  if (info.hasChatTemplate) {
    lines.push(
      'This is a chat model, but chat templates are not applied yet: it continues your text as it stands.')
  }
  return lines
}

export function showFacts(place: HTMLElement, model: Model | undefined, name = ''): void {
  if (!model) return place.replaceChildren()
  const list = make('dl', {}, ...facts(model.info).map(([term, value]) =>
    make('div', { title: term }, make('dt', { className: 'visually-hidden' }, term), make('dd', {}, value))))
  place.replaceChildren(
    make('p', { className: 'model-name' }, model.info.name || name),
    list,
    ...advice(model.info).map(line => make('p', { className: 'advice' }, line)),
  )
}
