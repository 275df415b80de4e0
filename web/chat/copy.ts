// Buttons that copy something, and say that they did.
const saidMs = 2000

/** `name` is what the button says otherwise. */
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
    timer = window.setTimeout(() => { button.textContent = name }, saidMs)
  })
}
