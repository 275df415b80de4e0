// Selects in the viewer what a link names.
import type { HeedViewer } from 'heed/viewer'
import { notify } from '../support/notices.js'
import type { Selected } from './link.js'

export async function select(viewer: HeedViewer, { kind, layer, head, token }: Selected): Promise<void> {
  try {
    if (kind !== undefined) viewer.kind = kind
    if (layer !== undefined) viewer.layer = layer
    if (head !== undefined) viewer.head = head
    await viewer.settled()
    viewer.token = token
  } catch (error) {
    notify(`The link does not fit this model: ${(error as Error).message}.`)
  }
}
