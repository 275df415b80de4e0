// WebKitGTK, by its WebDriver, https://www.w3.org/TR/webdriver2; it has no headless mode and gets a display.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { needBrowser } from './install.mjs'
import { startProgram } from './program.mjs'

/** Below what `fetch` waits for an answer, so that the driver says what took so long. */
const scriptTimeoutMs = 240_000

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

async function send(method, url, parameters) {
  const response = await fetch(url, { method, body: parameters && JSON.stringify(parameters) })
  const { value } = await response.json()
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}

/** Waits until a driver that has been started answers. */
async function answers(url) {
  while (!await send('GET', `${url}/status`).catch(() => false)) {
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** WebDriver tells nothing of the console: the page itself takes down what happens from now on. */
const takeDownProblems = `
  globalThis.heedProblems = []
  const note = text => heedProblems.push(String(text))
  addEventListener('error', event => note(event.message))
  addEventListener('unhandledrejection', event => note(event.reason))
  const { error } = console
  console.error = (...values) => { note(values.join(' ')); error.apply(console, values) }`

/** Starts a WebKit with a display of its own: a browser, as index.mjs describes it. */
export async function connectWebkit() {
  const { webkitDriver, xvfb } = await needBrowser('webkit')
  const display = startProgram(xvfb, ['-displayfd', '1', '-nolisten', 'tcp'])
  const [number] = await display.until(display.says(/\d+(?=\n)/))
  const port = await freePort()
  const driver = startProgram(webkitDriver, [`--port=${port}`], { env: { DISPLAY: `:${number}` } })
  const url = `http://127.0.0.1:${port}`
  await driver.until(answers(url))
  const { sessionId } = await send('POST', `${url}/session`,
    { capabilities: { alwaysMatch: { timeouts: { script: scriptTimeoutMs } } } })
  const session = `${url}/session/${sessionId}`
  const firstWindow = await send('GET', `${session}/window`)

  /** A command to a window. */
  async function sendTo(handle, method, command, parameters) {
    await send('POST', `${session}/window`, { handle })
    return send(method, `${session}/${command}`, parameters)
  }

  return {
    async open(pageUrl) {
      const { handle } = await sendTo(firstWindow, 'POST', 'window/new', { type: 'tab' })
      const here = (...command) => sendTo(handle, ...command)
      const problems = []
      await here('POST', 'url', { url: pageUrl })
      await here('POST', 'execute/sync', { script: takeDownProblems, args: [] })
      return {
        problems,
        async run(expression) {
          const script = `
            const done = arguments[0]
            const settle = settled => done({ ...settled, problems: heedProblems.splice(0) })
            ;(${expression}).then(value => settle({ value }), error => settle({ error: String(error) }))`
          const { value, error, problems: fresh } = await here('POST', 'execute/async', { script, args: [] })
          problems.push(...fresh)
          if (error) throw new Error(error)
          return value
        },
        close: () => here('DELETE', 'window'),
      }
    },
    async close() {
      await send('DELETE', session)
      await driver.stop()
      await display.stop()
    },
  }
}
