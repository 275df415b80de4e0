// Classifies models by what the page can do with them, which determines the rooms that it offers.
import type { ModelInfo } from 'heed'

/** A room of the page. */
export type Room = 'chat' | 'text' | 'picture'

/** The model continues a text, answers one, only reads it, or takes an image. */
export type Kind = 'writes' | 'answers' | 'reads' | 'sees'

export function kindOf({ generates, embeds, embedsImages }: ModelInfo): Kind {
  if (embedsImages) return 'sees'
  if (!generates) return 'reads'
  return embeds ? 'answers' : 'writes'
}

export function roomsOf(info: ModelInfo, hasChat: boolean): readonly Room[] {
  if (kindOf(info) === 'sees') return ['picture']
  return hasChat ? ['chat', 'text'] : ['text']
}
