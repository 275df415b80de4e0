// Copy buttons, which confirm that they have copied.
const saidMs = 2000

/** `name` is the label that the button returns to. */
export function offerCopy(button: HTMLButtonElement, text: () => string, name: string): void {
  button.ariaLive = 'polite'
  let timer = 0
  button.addEventListener('click', async () => {
    clearTimeout(timer)
    try {
      await navigator.clipboard.writeText(text())
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Not allowed'
    }
    timer = window.setTimeout(() => {
      button.textContent = name
    }, saidMs)
  })
}
