// Selects tokens by pointer and keyboard.
import { nothing, pin, pointAt, pointAway, type Selection, type Subject } from '../tokens/selection.js'
import type { Observable } from '../support/observable.js'
import type { TextView } from './view.js'

/** `subjectOf` returns a token with the row of weights to show for it; `count` returns how many tokens are shown, `begin` where their text begins. */
export function navigateTokens(
  place: HTMLElement,
  view: TextView,
  selection: Observable<Selection>,
  subjectOf: (token: number) => Subject,
  count: () => number,
  begin: () => number,
): void {
  place.addEventListener('pointerover', event => {
    const token = view.tokenAt(event)
    // Touch scrolling is not hovering.
    if (token !== undefined && event.pointerType !== 'touch') selection.value = pointAt(selection.value, subjectOf(token))
  })
  place.addEventListener('pointerleave', event => {
    if (event.pointerType !== 'touch') selection.value = pointAway(selection.value)
  })
  place.addEventListener('click', event => {
    const token = view.tokenAt(event)
    if (token === undefined) return
    const subject = subjectOf(token)
    selection.value = selection.value.pinned?.token === token ? { subject } : pin(subject)
  })
  place.addEventListener('focus', () => {
    // Only keyboard focus selects a token by itself.
    const byKey = place.matches(':focus-visible')
    if (byKey && selection.value.pinned === undefined && count() > 0) moveTo(count() - 1)
  })
  place.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && selection.value.pinned !== undefined) {
      selection.value = nothing
      event.stopPropagation()
      return
    }
    const target = targetOf(event.key, selection.value.pinned?.token)
    if (target === undefined) return
    event.preventDefault()
    moveTo(target)
  })

  function moveTo(token: number): void {
    selection.value = pin(subjectOf(token))
    view.element(token)?.scrollIntoView({ block: 'nearest' })
  }

  function targetOf(key: string, from: number | undefined): number | undefined {
    const last = count() - 1
    if (last < 0) return undefined
    const first = Math.min(begin(), last)
    switch (key) {
      case 'Home':
        return from === first ? 0 : first
      case 'End':
        return last
      case 'ArrowLeft':
        return Math.max((from ?? last + 1) - 1, 0)
      case 'ArrowRight':
        return Math.min((from ?? first - 1) + 1, last)
      case 'ArrowUp':
        return from === undefined ? last : view.neighbor(from, 'above')
      case 'ArrowDown':
        return from === undefined ? first : Math.min(view.neighbor(from, 'below'), last)
      default:
        return undefined
    }
  }
}
