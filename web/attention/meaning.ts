// What a heat map means, in words.
import type { AttentionOf } from 'heed'
import { byId } from '../support/dom.js'
import type { LayerAttention } from './layer.js'

const meanings: Record<AttentionOf, { caption: string, label: string }> = {
  decoder: {
    caption: 'To work out what comes next, each token (a row) gathers from itself and the tokens before it (the columns); '
      + 'attention is how much it takes from each.',
    label: 'Attention of each token to those before it',
  },
  encoder: {
    caption: 'To work out what it means here, each token (a row) gathers from all tokens of the text (the columns), before it '
      + 'and after it; attention is how much it takes from each.',
    label: 'Attention of each token of the text to all of them',
  },
  cross: {
    caption: 'To work out what comes next, each token of the answer (a row) gathers from the tokens of the text (the '
      + 'columns); attention is how much it takes from each.',
    label: 'Attention of each token of the answer to those of the text',
  },
}

const blind = 'Blank squares below the diagonal are out of sight: this layer looks back only so far.'
const leaking = 'Some attention goes to no token at all: a sink takes it, and rows sum to less than 1.'

/** Whether some token that came before is out of sight. */
const isNearSighted = ({ of, sights, attends }: LayerAttention) =>
  attends && of === 'decoder' && sights.some(({ from }) => from > 0)

export function tellMeaning(of: AttentionOf): void {
  byId('map-meaning', HTMLSpanElement).textContent = meanings[of].caption
  byId('heat-map', HTMLCanvasElement).ariaLabel = `${meanings[of].label}; arrow keys move over it`
}

/** What is particular to a layer, after `limit`, which is said of all. */
export function tellNotes(attention: LayerAttention | undefined, limit: string): void {
  const notes = [limit]
  if (attention && isNearSighted(attention)) notes.push(blind)
  if (attention?.hasSink) notes.push(leaking)
  byId('map-notes', HTMLSpanElement).textContent = notes.join(' ')
}
