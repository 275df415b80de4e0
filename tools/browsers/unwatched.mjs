// Chromium for measurements of memory: driven by commands over a pipe that only run scripts. Playwright also watches the network, for which
// the renderer keeps up to 200 MB of what the page has fetched.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flags } from './chromium.mjs'
import { needBrowser } from './install.mjs'
import { startProgram } from './program.mjs'

/** The browser's end of the pipe: commands and results are JSON, each followed by a 0 (https://chromedevtools.github.io/devtools-protocol). */
function commandsOf({ pipes: [toBrowser, fromBrowser], until }) {
  const waiting = new Map()
  let received = ''
  let count = 0
  fromBrowser.setEncoding('utf8').on('data', text => {
    const messages = (received + text).split('\0')
    received = messages.pop()
    for (const { id, result, error, method, sessionId } of messages.map(message => JSON.parse(message))) {
      const key = id ?? `${sessionId} ${method}`
      if (error) waiting.get(key)?.reject(new Error(error.message))
      else waiting.get(key)?.resolve(result)
      waiting.delete(key)
    }
  })
  toBrowser.on('error', () => {}) // the browser has ended, which rejects
  const answerTo = key => until(new Promise((resolve, reject) => waiting.set(key, { resolve, reject })))
  return {
    send(method, params = {}, sessionId) {
      toBrowser.write(`${JSON.stringify({ id: ++count, method, params, sessionId })}\0`)
      return answerTo(count)
    },
    /** The next such event of a session. */
    event: (method, sessionId) => answerTo(`${sessionId} ${method}`),
  }
}

/**
 * Starts a headless browser with a new profile, which `close` removes. Resolves to {profile, open(url), close()}; `open` resolves to
 * {evaluate(body, argument)}.
 */
export async function startUnwatched() {
  const profile = mkdtempSync(join(tmpdir(), 'heed-profile-'))
  const { chromium } = await needBrowser('chromium')
  const args = [...flags, '--headless', '--remote-debugging-pipe', `--user-data-dir=${profile}`]
  const browser = startProgram(chromium, args, { pipes: 2 })
  const { send, event } = commandsOf(browser)

  return {
    profile,
    async open(url) {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      const run = async expression => {
        const parameters = { expression, awaitPromise: true, returnByValue: true }
        const { result, exceptionDetails } = await send('Runtime.evaluate', parameters, sessionId)
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
        return result.value
      }
      await send('Page.enable', {}, sessionId)
      await Promise.all([event('Page.loadEventFired', sessionId), send('Page.navigate', { url }, sessionId)])
      await send('Page.disable', {}, sessionId)
      return { evaluate: (body, argument) => run(`(${body})(${JSON.stringify(argument)})`) }
    },
    async close() {
      await send('Browser.close').catch(() => {}) // which may end it before the answer
      await browser.stop()
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 }) // processes of the browser may still write there
    },
  }
}
