// The markers of a template's replies that are control tokens of the vocabulary. There, a marker is the token alone: ordinary tokens that
// spell it are text.
import { markersOf } from '../../chat/replies.js'
import type { ModelInfo } from '../../types/index.js'
import type { WirePrompt } from '../../wire/protocol.js'

export interface ControlMarkers {
  /** Markers that begin with a control token, and that token's text. */
  readonly begins: ReadonlyMap<string, string>
  /** The texts of these tokens, by their ids. */
  readonly texts: ReadonlyMap<number, string>
  /** The tokens that are whole markers. */
  readonly ids: ReadonlyMap<string, number>
}

type Tokenize = (prompt: WirePrompt, addSpecial: boolean) => Promise<number[]>

/** What was found of markers, which depends on the vocabulary alone: the id of the control token that one begins with, and whether it is one. */
type Found = Map<string, { readonly id?: number; readonly isWhole: boolean }>
const known = new WeakMap<ModelInfo, Found>()

/** Of the template and of `stops`. What an abort has kept from being found is not kept. */
export async function controlMarkers(
  info: ModelInfo,
  source: string,
  stops: readonly string[],
  tokenize: Tokenize,
  signal: AbortSignal,
): Promise<ControlMarkers> {
  const found = known.get(info) ?? (new Map() as Found)
  known.set(info, found)
  const markers = [...new Set([...markersOf(source), ...stops])]
  await Promise.all(
    markers
      .filter(marker => !found.has(marker))
      .map(async marker => {
        const [ids, plain] = await Promise.all([
          tokenize({ parts: [{ control: marker }] }, false),
          tokenize({ parts: [marker] }, false),
        ])
        const [first] = ids
        if (!signal.aborted)
          found.set(
            marker,
            first === undefined || plain.includes(first) ? { isWhole: false } : { id: first, isWhole: ids.length === 1 },
          )
      }),
  )
  const ids = new Map(markers.flatMap(marker => (found.get(marker)?.isWhole ? [[marker, found.get(marker)!.id!]] : [])))
  const texts = new Map([...ids].map(([text, id]) => [id, text]))
  const begins = new Map(
    markers.flatMap(marker => {
      const text = texts.get(found.get(marker)?.id ?? -1)
      return text === undefined ? [] : [[marker, text]]
    }),
  )
  return { begins, texts, ids }
}
