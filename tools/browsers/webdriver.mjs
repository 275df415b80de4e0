// A browser by the commands of WebDriver, https://www.w3.org/TR/webdriver2, however they get to it.

// WebDriver tells nothing of the console: the page itself takes down what happens from now on.
const takeDownProblems = `
  window.heedProblems = []
  const note = text => window.heedProblems.push(String(text))
  addEventListener('error', event => note(event.message))
  addEventListener('unhandledrejection', event => note(event.reason))
  const { error } = console
  console.error = (...values) => { note(values.join(' ')); error.apply(console, values) }`

const evaluate = expression => `
  const done = arguments[0]
  const settle = settled => done({ ...settled, problems: window.heedProblems.splice(0) })
  ;(${expression}).then(value => settle({ value }), error => settle({ error: String(error) }))`

/**
 * The pages of a browser, as index.mjs describes them: {open(url)}. `send(command, parameters)` resolves to
 * the value of currentWindow, newWindow, switchToWindow, closeWindow, navigate, execute or executeAsync.
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
