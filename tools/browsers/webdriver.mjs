// The pages of a browser that takes WebDriver commands, https://www.w3.org/TR/webdriver2, over any protocol.

/** WebDriver does not report console messages, so the page itself records errors from now on. */
export const takeDownProblems = `
  window.heedProblems = []
  const note = text => window.heedProblems.push(String(text))
  addEventListener('error', event => note(event.message))
  addEventListener('unhandledrejection', event => note(event.reason))
  const { error } = console
  console.error = (...values) => { note(values.join(' ')); error.apply(console, values) }`

const evaluate = expression => `
  const done = arguments[0]
  const settle = settled => done({ ...settled, problems: window.heedProblems?.splice(0) ?? [] })
  ;(${expression}).then(value => settle({ value }), error => settle({ error: String(error) }))`

/**
 * Opens pages with the interface that index.mjs needs: {open(url)}. `send(command, parameters)` resolves to the value of a
 * command: currentWindow, newWindow, switchToWindow, closeWindow, navigate, execute or executeAsync.
 */
export async function webDriverPages(send) {
  const firstWindow = await send('currentWindow')

  async function sendTo(handle, command, parameters) {
    await send('switchToWindow', { handle })
    return send(command, parameters)
  }

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
