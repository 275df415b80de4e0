// The view of each entry in the tab's history: Back and a reload show a conversation with its continuation, not as in its link.
import type { Room } from '../model/kind.js'

export interface Place {
  readonly conversation?: string
  readonly room?: Room
  /** The link that a place in the page belongs to. */
  readonly link?: string
}

const key = 'heed-place'

/** The place of the current entry. */
export const placeAt = (): Place => (history.state as Place | null) ?? {}

/** Adds to the place of the current entry. */
export function mark(place: Place): void {
  const there = placeAt()
  const isNew = Object.entries(place).some(([name, value]) => there[name as keyof Place] !== value)
  if (isNew) history.replaceState({ ...there, ...place }, '')
}

/** Chromium forgets the place at the first reload or Back under the service worker, which happens on the first visit. */
addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(key, JSON.stringify([location.href, history.state]))
  } catch {}
})

function recall(): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (!navigation || !['reload', 'back_forward'].includes(navigation.type) || history.state !== null) return
  try {
    const [address, place] = JSON.parse(sessionStorage.getItem(key) ?? '[]') as [string?, (Place | null)?]
    if (address === location.href && place) history.replaceState(place, '')
  } catch {}
}
recall()
