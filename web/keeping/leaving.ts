// Asks before the page is left while it holds something that the browser could not save.

/** From now on, the browser asks the user before the page is left as long as this returns true. */
export function askWhile(isLosing: () => boolean): void {
  addEventListener('beforeunload', event => {
    if (isLosing()) event.preventDefault()
  })
}
