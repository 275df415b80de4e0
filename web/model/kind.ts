// Classifies models by what the page can do with them, which determines the rooms that it offers.
import type { ModelInfo } from 'heed'

/** A room of the page. */
export type Room = 'chat' | 'text' | 'picture' | 'speech'

/** The model, in this order, continues a text, fills in masks, answers a text, only reads it, takes an image, or transcribes. */
export type Kind = 'writes' | 'unmasks' | 'answers' | 'reads' | 'sees' | 'hears'

export function kindOf({ generates, embeds, embedsImages, transcribes, maskToken }: ModelInfo): Kind {
  if (transcribes) return 'hears'
  if (embedsImages) return 'sees'
  if (maskToken) return 'unmasks'
  if (!generates) return 'reads'
  return embeds ? 'answers' : 'writes'
}

export function roomsOf(info: ModelInfo, hasChat: boolean): readonly Room[] {
  if (kindOf(info) === 'sees') return ['picture']
  if (kindOf(info) === 'hears') return ['speech']
  return hasChat ? ['chat', 'text'] : ['text']
}
