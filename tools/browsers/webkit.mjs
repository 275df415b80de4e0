// WebKitGTK, driven by its WebDriver. It has no headless mode, so it gets its own display.
import { freePort } from '../running/free-port.mjs'
import { BrowserCrash } from './crash.mjs'
import { needBrowser } from './install.mjs'
import { startProgram } from './program.mjs'
import { webDriverPages } from './webdriver.mjs'

const scriptTimeoutMs = 240_000
/** Longer than a script may take, so that the driver can report the timeout if it still responds. */
const answerTimeoutMs = 270_000
/** Whatever state the browser is in, stopping the driver ends it. */
const closeTimeoutMs = 20_000

const commands = {
  currentWindow: ['GET', 'window'],
  newWindow: ['POST', 'window/new'],
  switchToWindow: ['POST', 'window'],
  closeWindow: ['DELETE', 'window'],
  navigate: ['POST', 'url'],
  execute: ['POST', 'execute/sync'],
  executeAsync: ['POST', 'execute/async'],
}

async function request(method, url, parameters, timeoutMs = answerTimeoutMs) {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { method, body: parameters && JSON.stringify(parameters), signal })
  const { value } = await response.json()
  if (!response.ok) {
    // The driver's errors for a browser that has exited: the first one, and those of later requests.
    const crashed = value.error === 'invalid session id' || (value.error === 'unknown error' && !value.message)
    throw new (crashed ? BrowserCrash : Error)(`${value.error}: ${value.message}`)
  }
  return value
}

/** Waits until the started driver responds. */
async function answers(url) {
  while (!(await request('GET', `${url}/status`).catch(() => false))) {
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Starts the WebKitGTK of this name with a new profile and the interface that index.mjs needs; `env` adds to its environment. */
export async function startWebkit(name, env = {}) {
  const { webkitDriver, xvfb } = await needBrowser(name)
  const display = startProgram(xvfb, ['-displayfd', '1', '-nolisten', 'tcp'])
  const [number] = await display.until(display.says(/\d+(?=\n)/))
  const port = await freePort()
  const driver = startProgram(webkitDriver, [`--port=${port}`], { env: { ...env, DISPLAY: `:${number}` } })
  const url = `http://127.0.0.1:${port}`
  await driver.until(answers(url))
  const capabilities = { alwaysMatch: { timeouts: { script: scriptTimeoutMs } } }
  const { sessionId } = await request('POST', `${url}/session`, { capabilities })
  const send = (command, parameters) => {
    const [method, path] = commands[command]
    return request(method, `${url}/session/${sessionId}/${path}`, parameters)
  }
  return {
    ...(await webDriverPages(send)),
    async close() {
      try {
        await request('DELETE', `${url}/session/${sessionId}`, undefined, closeTimeoutMs)
      } finally {
        await driver.stop()
        await display.stop()
      }
    },
  }
}
