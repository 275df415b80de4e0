// Code that reproduces the page's state in another page.
import type { Linked } from './link.js'

const endOfSentence = `
const enough = new AbortController()
viewer.addEventListener('tokenwrite', ({ detail }) => {
  if (/[.!?]\\s*$/.test(detail.text)) enough.abort()
})`

export function codeFor({
  model,
  projector,
  prompt,
  seed,
  settings,
  length,
  kind,
  layer,
  head,
  token,
  measure,
  panel,
  heads,
  sentence,
}: Linked): string {
  const value = (of: unknown) => JSON.stringify(of)
  const options = Object.entries({ ...settings, seed }).map(([name, of]) => `  ${name}: ${value(of)},`)
  const aborted = length === 'sentence' ? ['  signal: enough.signal,  // after one sentence'] : []
  const shown = Object.entries({
    kind,
    measure: measure === 'weights' ? undefined : measure,
    layer,
    head,
    token,
    heads: panel === 'heads' ? heads : undefined,
    sentence: panel === 'sentences' ? sentence : undefined,
    panel,
  }).filter(([, of]) => of !== undefined)
  return [
    "import { loadModel } from 'heed'",
    "import { HeedViewer } from 'heed/viewer'",
    '',
    'const viewer = new HeedViewer()',
    'document.body.append(viewer)',
    `viewer.model = await loadModel(${projector === undefined ? (value(model) ?? '') : `${value(model)}, { projector: ${value(projector)} }`})`,
    ...(length === 'sentence' ? [endOfSentence] : []),
    ...(seed === undefined
      ? [`await viewer.show(${value(prompt)})`]
      : [`await viewer.generate(${value(prompt)}, {`, ...options, ...aborted, '})']),
    ...shown.map(([name, of]) =>
      name === 'token' ? `await viewer.settled()\nviewer.token = ${value(of)}` : `viewer.${name} = ${value(of)}`,
    ),
    '',
  ].join('\n')
}
