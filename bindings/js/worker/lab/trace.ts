// The handler that reads values at points of a pass: over a text, perhaps with an encoder's text, or over an encoder's own text.
import { HeedError } from '../../wire/errors.js'
import { endAfter, idsOf, idsToWrite, placesOf, withTokens } from '../handlers/tokens.js'
import { change, changesOf } from '../changes.js'
import { namesOf } from '../characters.js'
import { type Handler, readingHandler, runPass } from '../host.js'
import { forEachName, knownPoints } from './points.js'
import { copyOf, encode, leastOf, read, whileReading } from '../reading.js'

export const trace: Handler<'trace'> = readingHandler((host, state, { call, asked, positions, source, ...text }) => {
  const { engine } = host
  const isEncoder = asked.of === 'encoder'
  return withTokens(
    host,
    state,
    text,
    async (ids, images) => {
      const sourceIds = source === undefined ? [] : idsOf(engine, source, text)
      const changes = await changesOf(host, state, text)
      if (changes && isEncoder) throw new HeedError('unsupported', `${call}: adapters and edits are for decoders alone`)
      const places = positions && placesOf(host, call, positions, ids, asked.what === 'parts' ? 'query' : 'positions')
      const points = asked.points && knownPoints(engine, asked.points)
      const isTwice = new Set(asked.points).size < (points?.length ?? 0) // which the engine refuses, unlike two names of a point
      const named = points ? { ...asked, points: isTwice ? points : [...new Set(points)] } : asked
      const watched = places ? { ...named, positions: places } : named
      const readText = () =>
        whileReading(host, async reading => {
          change(reading, changes, ids)
          reading.watch(watched, ids.length, sourceIds.length)
          if (source !== undefined) await encode(host, state, reading, sourceIds)
          const end = places
            ? endAfter(
                ids,
                places.reduce((most, place) => Math.max(most, place)),
              )
            : ids.length
          const mayReuse = places && source === undefined && asked.what === 'points'
          await read(host, state, reading, ids.slice(0, end), mayReuse ? reading.reuse(ids, leastOf(places)) : 0)
          return { values: copyOf(reading.watched()), shapes: reading.shapes() }
        })
      const recorded = isEncoder ? await runPass(host, state, () => engine.recordEncoder(ids, watched)) : await readText()
      const names = (list: number[]) => namesOf(list, part => engine.detokenize(part, true, false))
      return {
        tokens: names(ids),
        sourceTokens: names(sourceIds),
        ...(places ? { positions: places } : {}),
        ...(points ? await forEachName(recorded, points) : recorded),
        images,
      }
    },
    isEncoder ? idsOf : idsToWrite,
  )
})
