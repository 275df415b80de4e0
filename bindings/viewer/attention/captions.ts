// Explains the heat map: its general meaning, and notes on the layer and head shown.
import type { AttentionOf } from 'heed'
import type { Parts } from '../frame/parts.js'
import { percent, quoted } from '../support/format.js'
import type { Head, LayerAttention } from './layer-attention.js'

const meanings: Record<AttentionOf, { caption: string; label: string }> = {
  decoder: {
    caption:
      'To work out what comes next, each token (a word, or a piece of one; a row) gathers from itself and the tokens before it (the columns); ' +
      'attention is how much it takes from each.',
    label: 'Attention of each token to those before it',
  },
  encoder: {
    caption:
      'To work out what it means here, each token (a word, or a piece of one; a row) gathers from all tokens of the text (the columns), before it ' +
      'and after it; attention is how much it takes from each.',
    label: 'Attention of each token of the text to all of them',
  },
  cross: {
    caption:
      'To work out what comes next, each token of the answer (a row) gathers from the tokens of the text (the ' +
      'columns); attention is how much it takes from each.',
    label: 'Attention of each token of the answer to those of the text',
  },
}

const blind = 'Blank squares below the diagonal are out of sight: this layer looks back only so far.'
const unseen = 'Blank squares are out of sight: in this layer, some tokens see only part of the text.'
const leaking = 'Some attention goes to no token at all: a sink takes it, and rows sum to less than 1.'

/** From this average share on, the first token counts as an attention sink: content alone rarely draws that much. */
const sinkShare = 0.3

/** Whether some token cannot see all tokens before it. */
const isNearSighted = ({ of, sights, attends }: LayerAttention) =>
  attends && of === 'decoder' && sights.some(({ from }) => from > 0)

/** Whether some token of an encoder cannot see the whole text: the model has a window or was derived from a decoder. */
const isNarrow = ({ of, sights, columns }: LayerAttention) =>
  of === 'encoder' && sights.some(({ from, to }) => to > from && to - from < columns)

export function tellMeaning({ attention: { caption, canvas } }: Parts, of: AttentionOf): void {
  caption.textContent = meanings[of].caption
  canvas.ariaLabel = `${meanings[of].label}; arrow keys move over it`
}

/** Whether the first token is an attention sink. */
export const hasSinkToken = (attention: LayerAttention, head: Head) =>
  attention.of === 'decoder' && attention.attends && attention.shareOfFirst(head) >= sinkShare

/** Shows `limit`, a sentence that applies to every layer and head, followed by notes on the selected ones. */
export function tellNotes({ attention: { notes } }: Parts, attention: LayerAttention | undefined, head: Head, limit: string): void {
  const sentences = [limit]
  if (attention && isNearSighted(attention)) sentences.push(blind)
  if (attention && isNarrow(attention)) sentences.push(unseen)
  if (attention?.hasSink) sentences.push(leaking)
  if (attention && hasSinkToken(attention, head)) {
    sentences.push(
      `The bright first column is an attention sink: ${quoted(attention.keys[0]!)}, the first token, gets ` +
        `${percent(attention.shareOfFirst(head))} on average, what is left where a token finds nothing else to gather.`,
    )
  }
  notes.textContent = sentences.filter(sentence => sentence !== '').join(' ')
}
