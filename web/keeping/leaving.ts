// Asks before the page is left while it holds something that the browser could not save.

const reasons = new Set<() => boolean>()

function ask(event: Event): void {
  if ([...reasons].some(isLosing => isLosing())) event.preventDefault()
}

/** From now on, the browser asks the user before the page is left as long as this returns true; the same function counts once. */
export function askWhile(isLosing: () => boolean): void {
  reasons.add(isLosing)
  addEventListener('beforeunload', ask)
}
