// Firefox, driven by its built-in Marionette: https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
// Not by WebDriver BiDi, which Puppeteer and Playwright use: a BiDi session observes workers, and Firefox 153 then occasionally
// hangs when a worker starts another.
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BrowserCrash } from './crash.mjs'
import { needBrowser } from './install.mjs'
import { startProgram } from './program.mjs'
import { webDriverPages } from './webdriver.mjs'

const commands = {
  newSession: 'WebDriver:NewSession',
  currentWindow: 'WebDriver:GetWindowHandle',
  newWindow: 'WebDriver:NewWindow',
  switchToWindow: 'WebDriver:SwitchToWindow',
  closeWindow: 'WebDriver:CloseWindow',
  navigate: 'WebDriver:Navigate',
  execute: 'WebDriver:ExecuteScript',
  executeAsync: 'WebDriver:ExecuteAsyncScript',
  quit: 'Marionette:Quit',
}

/** Splits a stream of `LENGTH:JSON` messages. */
function messageReader(onMessage) {
  let bytes = Buffer.alloc(0)
  return data => {
    bytes = Buffer.concat([bytes, data])
    for (let colon; (colon = bytes.indexOf(':')) > 0;) {
      const end = colon + 1 + Number(bytes.subarray(0, colon))
      if (bytes.length < end) return
      const message = JSON.parse(bytes.subarray(colon + 1, end))
      bytes = bytes.subarray(end)
      onMessage(message)
    }
  }
}

const gone = () => new BrowserCrash('Firefox has exited')

/** Connects to Firefox; `send(command, parameters)` resolves to the command's value. */
async function connectTo(port) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})   // `close` follows
  const pending = new Map()
  let lastId = 0
  socket.on('data', messageReader(message => {
    if (!Array.isArray(message)) return   // the greeting
    const [, id, error, result] = message
    const { resolve, reject } = pending.get(id)
    pending.delete(id)
    if (error) reject(new Error(`${error.error}: ${error.message}`))
    else resolve(result && 'value' in result ? result.value : result)
  }))
  socket.on('close', () => {
    for (const { reject } of pending.values()) reject(gone())
  })
  return {
    send: (command, parameters = {}) => new Promise((resolve, reject) => {
      if (socket.destroyed) return reject(gone())
      pending.set(++lastId, { resolve, reject })
      const text = JSON.stringify([0, lastId, commands[command], parameters])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    }),
    end: () => socket.destroy(),
  }
}

/** Starts a headless Firefox with a new profile and the interface that index.mjs needs. */
export async function startFirefox() {
  const { firefox } = await needBrowser('firefox')
  const profile = mkdtempSync(join(tmpdir(), 'heed-firefox-'))
  writeFileSync(join(profile, 'user.js'), 'user_pref("marionette.port", 0);\n')   // any free port
  const program = startProgram(firefox, ['--headless', '--no-remote', '--profile', profile, '--marionette'])
  const [, port] = await program.until(program.says(/Listening on port (\d+)/))
  const { send, end } = await connectTo(Number(port))
  await send('newSession', { capabilities: { alwaysMatch: { timeouts: { script: null } } } })
  return {
    ...await webDriverPages(send),
    async close() {
      try {
        await send('quit', { flags: ['eForceQuit'] })
      } finally {
        end()
        await program.stop()
        rmSync(profile, { recursive: true, force: true })
      }
    },
  }
}
