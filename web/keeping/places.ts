// The view of each entry in the tab's history: Back and a reload show a conversation with its continuation, not as in its link.
import type { Room } from '../model/kind.js'

export interface Place {
  readonly conversation?: string
  readonly room?: Room
  /** The link that a place in the page belongs to. */
  readonly link?: string
}

/** The place of the current entry. */
export const placeAt = (): Place => (history.state as Place | null) ?? {}

/** Adds to it. */
export function mark(place: Place): void {
  const there = placeAt()
  const isNew = Object.entries(place).some(([name, value]) => there[name as keyof Place] !== value)
  if (isNew) history.replaceState({ ...there, ...place }, '')
}
