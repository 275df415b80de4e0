// Classifies models by what the page can do with them and show of them.
import type { AttentionOf, ModelInfo } from 'heed'

/** The model continues a text, answers one, only reads it, or sees pictures. */
export type Kind = 'writes' | 'answers' | 'reads' | 'sees'

export function kindOf({ generates, embeds, sees }: ModelInfo): Kind {
  if (sees) return 'sees'
  if (!generates) return 'reads'
  return embeds ? 'answers' : 'writes'
}

/** Whether the model can chat: it continues texts and has a chat template. */
export const chats = (info: ModelInfo): boolean => kindOf(info) === 'writes' && info.chatTemplates.default !== undefined

/** The kinds of attention of text models, starting with the one available before anything is generated. */
export const attentionsOf: Record<Exclude<Kind, 'sees'>, readonly [AttentionOf, ...AttentionOf[]]> = {
  writes: ['decoder'],
  answers: ['encoder', 'cross', 'decoder'],
  reads: ['encoder'],
}
