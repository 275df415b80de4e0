// Pages whose engine's messages a test can hold, so that what the page shows between two of them stays as long as it looks.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs before the engine's worker. Holds its messages after the `count`th one that fits: of a type, and with a part of a prompt read if it is `read`. */
const holding = `{
  const post = postMessage.bind(globalThis)
  const channel = new BroadcastChannel('held')
  let wanted, left, held
  channel.onmessage = ({ data: [type, count] }) => {
    const due = held ?? []
    held = undefined
    wanted = type
    left = count
    for (const message of due) globalThis.postMessage(...message)
    channel.postMessage('done')
  }
  globalThis.postMessage = (...message) => {
    if (held) return void held.push(message)
    post(...message)
    const [{ type, done, total }] = message
    if (type === wanted && !(done === total && type === 'read') && --left === 0) held = []
  }
}\n`

/** What `atBothWidths` serves for such tests. */
export const held = {
  change(folder) {
    const assets = join(folder, 'assets')
    for (const name of readdirSync(assets).filter(name => /^heed-worker.*\.js$/.test(name))) {
      writeFileSync(join(assets, name), holding + readFileSync(join(assets, name), 'utf8'))
    }
  },
}

/** Lets the engine go on until it has sent the `count`th message of a type from now on; without a type, to its end. */
export const hold = (page, type, count = 1) =>
  page.evaluate(
    given =>
      new Promise(resolve => {
        const channel = new BroadcastChannel('held')
        channel.onmessage = () => {
          channel.close()
          resolve()
        }
        channel.postMessage(given)
      }),
    [type, count],
  )
