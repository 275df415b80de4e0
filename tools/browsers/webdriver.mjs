// The pages of a browser that takes WebDriver commands, https://www.w3.org/TR/webdriver2, over any protocol.

/** WebDriver does not report console messages, so the page itself records errors from now on. */
export const takeDownProblems = `
  window.heedProblems = []
  const note = text => window.heedProblems.push(String(text))
  addEventListener('error', event => note(event.message))
  addEventListener('unhandledrejection', event => note(event.reason))
  const { error } = console
  console.error = (...values) => { note(values.join(' ')); error.apply(console, values) }`

/** Firefox runs a script in a sandbox: there, `globalThis` is made the window, so that later scripts find what one has stored. */
const evaluate = expression => `
  const done = arguments[0]
  const settle = settled => done({ ...settled, problems: window.heedProblems?.splice(0) ?? [] })
  ;(globalThis => ${expression})(window).then(value => settle({ value }), error => settle({ error: String(error) }))`

/**
 * Returns a function that sends a command to the window of a handle. Calls for several windows may be in flight, but no other one comes
 * between the choice of a window and the command.
 */
export function toWindows(send) {
  let switching = Promise.resolve()
  return async function sendTo(handle, command, parameters) {
    const sent = switching.then(async () => {
      await send('switchToWindow', { handle })
      return { result: send(command, parameters) }
    })
    switching = sent.catch(() => {})
    return (await sent).result
  }
}

/**
 * Opens pages with the interface that index.mjs needs: {open(url)}. `send(command, parameters)` resolves to the value of a
 * command: currentWindow, newWindow, switchToWindow, closeWindow, navigate, execute or executeAsync.
 */
export async function webDriverPages(send) {
  const firstWindow = await send('currentWindow')
  const sendTo = toWindows(send)

  return {
    async open(url) {
      const { handle } = await sendTo(firstWindow, 'newWindow', { type: 'tab' })
      const problems = []
      await sendTo(handle, 'navigate', { url })
      await sendTo(handle, 'execute', { script: takeDownProblems, args: [] })
      return {
        problems,
        async run(expression) {
          const parameters = { script: evaluate(expression), args: [] }
          const settled = await sendTo(handle, 'executeAsync', parameters)
          problems.push(...settled.problems)
          if (settled.error) throw new Error(settled.error)
          return settled.value
        },
        close: () => sendTo(handle, 'closeWindow'),
      }
    },
  }
}
