// Moving from token to token by pointer and by key.
import { type Gaze, lookAway, nowhere, pin, pointAt } from '../attention/gaze.js'
import type { Observable } from '../support/observable.js'
import type { PassageView } from './view.js'

export function followReader(place: HTMLElement, view: PassageView, gaze: Observable<Gaze>): void {
  place.addEventListener('pointerover', event => {
    const token = view.tokenAt(event)
    // A finger that scrolls is not pointing at anything.
    if (token !== undefined && event.pointerType !== 'touch') gaze.value = pointAt(gaze.value, token)
  })
  place.addEventListener('pointerleave', event => {
    if (event.pointerType !== 'touch') gaze.value = lookAway(gaze.value)
  })
  place.addEventListener('click', event => {
    const token = view.tokenAt(event)
    if (token === undefined) return
    gaze.value = gaze.value.pinned === token ? { subject: token } : pin(token)
  })
  place.addEventListener('focus', () => {
    // Only a focus that came by key starts on a token by itself.
    const byKey = place.matches(':focus-visible')
    if (byKey && gaze.value.pinned === undefined && view.length > 0) moveTo(view.length - 1)
  })
  place.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && gaze.value.pinned !== undefined) {
      gaze.value = nowhere
      event.stopPropagation()
      return
    }
    const target = targetOf(event.key, gaze.value.pinned)
    if (target === undefined) return
    event.preventDefault()
    moveTo(target)
  })

  function moveTo(token: number): void {
    gaze.value = pin(token)
    view.element(token)?.scrollIntoView({ block: 'nearest' })
  }

  function targetOf(key: string, from: number | undefined): number | undefined {
    const last = view.length - 1
    if (last < 0) return undefined
    switch (key) {
      case 'Home': return 0
      case 'End': return last
      case 'ArrowLeft': return Math.max((from ?? last + 1) - 1, 0)
      case 'ArrowRight': return Math.min((from ?? -1) + 1, last)
      case 'ArrowUp': return from === undefined ? last : view.neighbour(from, 'above')
      case 'ArrowDown': return from === undefined ? 0 : view.neighbour(from, 'below')
      default: return undefined
    }
  }
}
