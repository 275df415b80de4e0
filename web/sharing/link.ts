// A link to the page's state: model, prompt, seed, settings, and what is selected. The same seed gives the same text on every
// machine, so the link reproduces the text.
import type { AttentionOf } from 'heed'
import type { Head } from 'heed/viewer'

export interface Linked {
  /** The address of the model; by default, the bundled model. */
  model?: string
  prompt: string
  /** Without a seed, the prompt is shown and nothing is generated. */
  seed?: number
  settings?: Readonly<Record<string, number>>
  length?: 'sentence' | 'text'
  kind?: AttentionOf
  layer?: number
  head?: Head
  token?: number
}

const settingNames = ['temperature', 'topK', 'topP', 'minP', 'repetitionPenalty', 'maxTokens']
const kinds: readonly string[] = ['decoder', 'encoder', 'cross'] satisfies AttentionOf[]

/** Files are not linked to: the one of that name is another one elsewhere. */
const isAddress = (text: string | null) => text !== null && /^(https?|hf):/i.test(text) && URL.canParse(text)

/** The address of `page` with the state in its hash. Layers and heads count from 1 there. */
export function linkTo(page: string, { settings, head, layer, ...rest }: Linked): string {
  const parts = new URLSearchParams()
  const flat = {
    ...rest, ...settings,
    layer: layer === undefined ? undefined : layer + 1, head: typeof head === 'number' ? head + 1 : head,
  }
  for (const [name, value] of Object.entries(flat)) {
    if (value !== undefined) parts.set(name, `${value}`)
  }
  const url = new URL(page)
  url.hash = parts.toString()
  return url.href
}

/** The state in a hash; undefined if it contains none. Invalid values are ignored. */
export function readLink(hash: string): Linked | undefined {
  if (!hash.includes('prompt=')) return undefined
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const prompt = parts.get('prompt') ?? ''
  const number = (name: string) => {
    const text = parts.get(name)
    const value = Number(text)
    return text === null || text === '' || !Number.isFinite(value) || value < 0 ? undefined : value
  }
  const index = (name: string, from: number) => {
    const value = number(name)
    return Number.isInteger(value) && value! >= from ? value! - from : undefined
  }
  const settings = settingNames.flatMap(name => {
    const value = number(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const length = parts.get('length')
  const kind = parts.get('kind')
  return {
    model: isAddress(parts.get('model')) ? parts.get('model')! : undefined,
    prompt,
    seed: Number.isSafeInteger(number('seed')) ? number('seed') : undefined,
    settings: Object.fromEntries(settings),
    length: length === 'sentence' || length === 'text' ? length : undefined,
    kind: kind !== null && kinds.includes(kind) ? kind as AttentionOf : undefined,
    layer: index('layer', 1),
    head: parts.get('head') === 'mean' ? 'mean' : index('head', 1),
    token: index('token', 0),
  }
}
