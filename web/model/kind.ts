// What a model is to the page: its parts say what there is to do with it, and to look at.
import type { AttentionOf, ModelInfo } from 'heed'

/** It goes on from a text, answers one, only reads it, or sees pictures. */
export type Kind = 'writes' | 'answers' | 'reads' | 'sees'

export function kindOf({ generates, embeds, sees }: ModelInfo): Kind {
  if (sees) return 'sees'
  if (!generates) return 'reads'
  return embeds ? 'answers' : 'writes'
}

/** Whether one can have a conversation with it: it brings a template for them. */
export const chats = (info: ModelInfo): boolean => kindOf(info) === 'writes' && info.chatTemplates.default !== undefined

/** The kinds of attention that models of texts have, first what there is before anything is written. */
export const attentionsOf: Record<Exclude<Kind, 'sees'>, readonly [AttentionOf, ...AttentionOf[]]> = {
  writes: ['decoder'],
  answers: ['encoder', 'cross', 'decoder'],
  reads: ['encoder'],
}
