// Pages whose engine's messages a test can hold, so that the state of the page between two of them lasts as long as the test
// examines it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Runs before the engine's worker. Holds its messages after the `count`th matching one: of a type and, for `read`, with part of a
 * prompt processed.
 */
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

/** The change that `atBothWidths` serves for such tests. */
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
          if (data === 'there') return channel.postMessage(given) // it has not received earlier messages
          channel.close()
          resolve()
        }
        channel.postMessage(given)
      }),
    [type, count],
  )
