// The pace at which the viewer shows new texts. Texts that come back after a reload are shown whole.
import type { HeedViewer } from 'heed/viewer'
import type { Desk } from '../keeping/desk.js'

const paces: readonly unknown[] = ['slow', 'step'] satisfies HeedViewer['pace'][]

export function keepPace(desk: Desk, viewer: HeedViewer): void {
  const found = desk.found.get('pace')
  // The user may have chosen another pace meanwhile.
  if (paces.includes(found) && viewer.pace === 'instant') {
    viewer.pace = found as HeedViewer['pace']
    showWhole(viewer)
  }
  const keep = () => {
    const { pace } = viewer
    desk.keep('pace', pace === 'instant' ? undefined : () => pace)
  }
  viewer.addEventListener('pacechange', keep)
  if (viewer.pace !== found) keep()
}

/** Shows every text at once, until the user does something. */
function showWhole(viewer: HeedViewer): void {
  const done = new AbortController()
  const { signal } = done
  const reveal = () => {
    viewer.revealed = Infinity
  }
  reveal()
  viewer.addEventListener('reveal', reveal, { signal })
  for (const event of ['pointerdown', 'keydown']) addEventListener(event, () => done.abort(), { signal, capture: true })
}
