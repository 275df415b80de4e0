// A menu of rare commands: a disclosure that closes after a choice, on Escape, and when the user goes elsewhere.

/** Makes `details`, a menu of commands, close itself. If the focus was in it, the summary gets the focus. */
export function closeByItself(details: HTMLDetailsElement): void {
  const leave = () => {
    const hadFocus = details.contains(document.activeElement)
    details.open = false
    if (hadFocus) details.querySelector('summary')?.focus()
  }
  details.addEventListener('click', event => {
    if ((event.target as Element).closest('button')) leave()
  })
  details.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !details.open) return
    event.stopPropagation()
    leave()
  })
  for (const event of ['focusin', 'pointerdown']) {
    addEventListener(event, ({ target }) => {
      if (!details.contains(target as Node)) details.open = false
    })
  }
}
