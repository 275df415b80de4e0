// A MediaStream is transcribed while it sounds, and ends when its tracks are stopped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whisperModel } from '../support/whisper_model.mjs'
import { browserName, useBrowser } from './support.mjs'

const { sites, inPage } = useBrowser()
const skip = browserName !== 'chromium' && 'without a sound device, only Chromium runs an AudioContext'

test('a stream of an AudioContext', { skip, timeout: 120_000 }, async () => {
  const { text, duration, finishReason, interim, state } = await inPage(
    sites.isolated,
    async file => {
      const bytes = Uint8Array.from(atob(file), character => character.charCodeAt(0))
      const model = await heed.loadModel(bytes, { threads: 2 })
      const context = new AudioContext()
      const tone = context.createOscillator()
      const out = context.createMediaStreamDestination()
      tone.connect(out)
      tone.start()
      await context.resume()
      const interim = []
      const [track] = out.stream.getTracks()
      const transcription = model.transcribe(out.stream, {
        temperature: 0,
        timestamps: false,
        onInterim(segments) {
          interim.push(segments.length)
          if (interim.length === 2) track.stop()
        },
      })
      const { text, duration, finishReason } = await transcription
      await context.close()
      await model.dispose()
      return { text, duration, finishReason, interim, state: track.readyState }
    },
    Buffer.from(whisperModel({ positions: 50 })).toString('base64'),
  )
  assert.equal(finishReason, 'end')
  assert.equal(state, 'ended')
  assert.ok(text.length > 0)
  assert.ok(duration >= 1, `${duration} s`)
  assert.deepEqual(interim.slice(0, 2), [1, 1])
  assert.equal(interim.at(-1), 0)
})
