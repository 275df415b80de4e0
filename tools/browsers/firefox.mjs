// Firefox, by the protocol that it speaks itself: WebDriver BiDi, https://w3c.github.io/webdriver-bidi
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { needBrowser } from './install.mjs'
import { startProgram } from './program.mjs'

/** A connection: `send` resolves to a command's result, `onEvent(method, params)` hears what happens. */
async function connect(url, onEvent) {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const pending = new Map()
  let lastId = 0
  socket.on('message', data => {
    const { type, id, method, params, result, error, message } = JSON.parse(data)
    if (type === 'event') return onEvent(method, params)
    const { resolve, reject } = pending.get(id)
    pending.delete(id)
    if (type === 'success') resolve(result)
    else reject(new Error(`${error}: ${message}`))
  })
  socket.on('close', () => {
    for (const { reject } of pending.values()) reject(new Error('Firefox is gone'))
  })
  return {
    send: (method, params) => new Promise((resolve, reject) => {
      pending.set(++lastId, { resolve, reject })
      socket.send(JSON.stringify({ id: lastId, method, params }))
    }),
    close: () => socket.close(),
  }
}

/** Starts a headless Firefox with a fresh profile: a browser, as index.mjs describes it. */
export async function connectFirefox() {
  const { firefox } = await needBrowser('firefox')
  const profile = mkdtempSync(join(tmpdir(), 'heed-firefox-'))
  const program = startProgram(firefox,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'])
  const [, address] = await program.until(program.says(/WebDriver BiDi listening on (ws:\S+)/))
  const problems = new Map()
  const { send, close } = await connect(`${address}/session`, (method, { level, text, source }) => {
    if (method === 'log.entryAdded' && level === 'error') problems.get(source.context)?.push(text)
  })
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })

  return {
    async open(url) {
      const { context } = await send('browsingContext.create', { type: 'tab' })
      problems.set(context, [])
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
      return {
        problems: problems.get(context),
        async run(expression) {
          const { type, result, exceptionDetails } = await send('script.evaluate',
            { expression, target: { context }, awaitPromise: true })
          if (type === 'exception') throw new Error(exceptionDetails.text)
          return result.value
        },
        close: () => send('browsingContext.close', { context }),
      }
    },
    async close() {
      await send('browser.close', {}).catch(() => {})   // it may go before it answers
      close()
      await program.stop()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}
