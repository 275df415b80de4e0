// The handler that reads the gates of recurrent layers.
import { namesOf } from '../characters.js'
import { idsToWrite, withTokens } from '../handlers/tokens.js'
import { type Handler, readingHandler } from '../host.js'
import { copyOf, read, whileReading } from '../reading.js'

export const gates: Handler<'gates'> = readingHandler((host, state, call) =>
  withTokens(
    host,
    state,
    call,
    async (ids, images) => {
      const values = await whileReading(host, async reading => {
        reading.watchGates(call.layers, ids.length)
        await read(host, state, reading, ids)
        return copyOf(reading.watched())
      })
      return { tokens: namesOf(ids, part => host.engine.detokenize(part, true, false)), values, images }
    },
    idsToWrite,
  ),
)
