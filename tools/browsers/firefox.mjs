// Firefox, driven by its built-in Marionette: https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
// Not by WebDriver BiDi, which Puppeteer and Playwright use: a BiDi session observes workers, and Firefox 153 then occasionally
// hangs when a worker starts another.
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BrowserCrash } from './crash.mjs'
import { firefoxPage } from './firefox-page.mjs'
import { needBrowser } from './install.mjs'
import { startProgram } from './program.mjs'
import { toWindows, webDriverPages } from './webdriver.mjs'

const commands = {
  newSession: 'WebDriver:NewSession',
  currentWindow: 'WebDriver:GetWindowHandle',
  newWindow: 'WebDriver:NewWindow',
  switchToWindow: 'WebDriver:SwitchToWindow',
  closeWindow: 'WebDriver:CloseWindow',
  navigate: 'WebDriver:Navigate',
  execute: 'WebDriver:ExecuteScript',
  executeAsync: 'WebDriver:ExecuteAsyncScript',
  clickElement: 'WebDriver:ElementClick',
  sendKeysToElement: 'WebDriver:ElementSendKeys',
  performActions: 'WebDriver:PerformActions',
  refresh: 'WebDriver:Refresh',
  back: 'WebDriver:Back',
  forward: 'WebDriver:Forward',
  currentUrl: 'WebDriver:GetCurrentURL',
  screenshot: 'WebDriver:TakeScreenshot',
  setContext: 'Marionette:SetContext',
  quit: 'Marionette:Quit',
}

/** Splits a stream of `LENGTH:JSON` messages. */
function messageReader(onMessage) {
  let bytes = Buffer.alloc(0)
  return data => {
    bytes = Buffer.concat([bytes, data])
    for (let colon; (colon = bytes.indexOf(':')) > 0; ) {
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
  socket.on('error', () => {}) // `close` follows
  const pending = new Map()
  let lastId = 0
  socket.on(
    'data',
    messageReader(message => {
      if (!Array.isArray(message)) return // the greeting
      const [, id, error, result] = message
      const { resolve, reject } = pending.get(id)
      pending.delete(id)
      if (error) reject(new Error(`${error.error}: ${error.message}`))
      else resolve(result && 'value' in result ? result.value : result)
    }),
  )
  socket.on('close', () => {
    for (const { reject } of pending.values()) reject(gone())
  })
  return {
    send: (command, parameters = {}) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(gone())
        pending.set(++lastId, { resolve, reject })
        const text = JSON.stringify([0, lastId, commands[command], parameters])
        socket.write(`${Buffer.byteLength(text)}:${text}`)
      }),
    end: () => socket.destroy(),
  }
}

/** Starts a headless Firefox with a new profile. Resolves to {send(command, parameters), close()}. */
async function start() {
  const { firefox } = await needBrowser('firefox')
  const profile = mkdtempSync(join(tmpdir(), 'heed-firefox-'))
  writeFileSync(join(profile, 'user.js'), 'user_pref("marionette.port", 0);\n') // any free port
  const program = startProgram(firefox, [
    '--headless',
    '--no-remote',
    '--profile',
    profile,
    '--marionette',
    '--remote-allow-system-access', // to size pages
  ])
  const [, port] = await program.until(program.says(/Listening on port (\d+)/))
  const { send, end } = await connectTo(Number(port))
  await send('newSession', { timeouts: { script: 300_000 } }) // Marionette takes capabilities that are matched already
  return {
    send,
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

/** Starts a headless Firefox with a new profile and the interface that index.mjs needs. */
export async function startFirefox() {
  const { send, close } = await start()
  return { ...(await webDriverPages(send)), close }
}

/** Starts a headless Firefox with a new profile. Resolves to {open(url), close()}: `open` resolves to a page of firefox-page.mjs. */
export async function startFirefoxPages() {
  const { send, close } = await start()
  const firstWindow = await send('currentWindow')
  const sendTo = toWindows(send)
  return {
    async open(url) {
      const { handle } = await sendTo(firstWindow, 'newWindow', { type: 'tab' })
      const page = firefoxPage(sendTo, handle)
      await page.goto(url)
      return page
    },
    close,
  }
}
