// Pages whose engine's messages a test can hold, so that what the page shows between two of them stays as long as it looks.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs before the engine's worker. Holds its messages after the `count`th one that fits: of a type, and with a part of a prompt read if it is `read`. */
const holding = held => `{
  const post = postMessage.bind(globalThis)
  const channel = new BroadcastChannel('held')
  let wanted, left, held = ${held}
  channel.onmessage = ({ data: [type, count] }) => {
    const due = held ?? []
    held = undefined
    wanted = type
    left = count
    for (const message of due) globalThis.postMessage(...message)
    channel.postMessage('done')
  }
  channel.postMessage('there')
  globalThis.postMessage = (...message) => {
    if (held) return void held.push(message)
    post(...message)
    const [{ type, done, total }] = message
    if (wanted && type === wanted && !(done === total && type === 'read') && --left === 0) held = []
  }
}\n`

const holdingFrom = start => ({
  change(folder) {
    const assets = join(folder, 'assets')
    for (const name of readdirSync(assets).filter(name => /^heed-worker.*\.js$/.test(name))) {
      writeFileSync(join(assets, name), holding(start) + readFileSync(join(assets, name), 'utf8'))
    }
  },
})

/** What `atBothWidths` serves for such tests. */
export const held = holdingFrom('undefined')

/** The same, and no message comes before `hold` is called. */
export const heldFromStart = holdingFrom('[]')

/** Lets the engine go on until it has sent the `count`th message of a type from now on; without a type, to its end. */
export const hold = (page, type, count = 1) =>
  page.evaluate(
    given =>
      new Promise(resolve => {
        const channel = new BroadcastChannel('held')
        channel.onmessage = ({ data }) => {
          if (data === 'there') return channel.postMessage(given) // it has not heard what was posted before
          channel.close()
          resolve()
        }
        channel.postMessage(given)
      }),
    [type, count],
  )
