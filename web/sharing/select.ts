// Converts the viewer's selection to a link, and back.
import type { HeedViewer } from 'heed/viewer'
import { notify } from '../support/notices.js'
import type { Selected } from './link.js'

/** The selection in the viewer that applies to any text. */
export const selectedOf = ({ layer, head, token, measure, panel, heads, sentence }: HeedViewer) => ({
  layer,
  head,
  token,
  measure,
  panel,
  heads,
  sentence: sentence.trim() === '' ? undefined : sentence,
})

export async function select(
  viewer: HeedViewer,
  { kind, layer, head, token, measure = 'weights', panel, heads, sentence = '' }: Selected,
): Promise<void> {
  try {
    if (kind !== undefined) viewer.kind = kind
    viewer.measure = measure
    if (layer !== undefined) viewer.layer = layer
    if (head !== undefined) viewer.head = head
    await viewer.settled()
    viewer.token = token
    if (heads !== undefined) viewer.heads = heads
    viewer.sentence = sentence
    viewer.panel = panel // even if undefined: an open panel would change its height above the part that the link opens
  } catch (error) {
    notify(`The link does not fit this model: ${(error as Error).message}.`)
  }
}
