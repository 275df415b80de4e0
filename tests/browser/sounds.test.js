// Sounds in a page: AudioBuffers, files that Heed reads, and files that the browser decodes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chirp, wavFile, whisperModel } from '../support/whisper_model.mjs'
import { browserName, useBrowser } from './support.mjs'

const { sites, inPage } = useBrowser()
const base64 = bytes => Buffer.from(bytes).toString('base64')

/** The same sound with 8 bits a sample, coded by the mu-law (G.711), which Heed leaves to the browser. */
function lawFile(samples) {
  const code = sample => {
    const sign = sample < 0 ? 0x80 : 0
    const magnitude = Math.min(Math.round(Math.abs(sample) * 32635), 32635) + 132
    const exponent = Math.floor(Math.log2(magnitude)) - 7
    return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 15)) & 0xff
  }
  const header = Buffer.from(wavFile([])).subarray(0, 44)
  header.writeUInt32LE(36 + samples.length, 4)
  header.writeUInt16LE(7, 20)
  header.writeUInt32LE(16_000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, Uint8Array.from(samples, code)])
}

test('a page transcribes AudioBuffers, WAV files and what the browser decodes', { timeout: 120_000 }, async () => {
  const samples = chirp(1.2)
  const { ofSamples, ofBuffer, ofWav, ofLaw, error } = await inPage(
    sites.isolated,
    async ({ file, wav, law, samples }) => {
      const bytesOf = text => Uint8Array.from(atob(text), character => character.charCodeAt(0))
      const model = await heed.loadModel(bytesOf(file), { threads: 2 })
      const quick = { temperature: 0, timestamps: false }
      const transcribe = async audio => {
        const { text, duration, finishReason } = await model.transcribe(audio, quick)
        return { text, duration, finishReason }
      }
      const data = Float32Array.from(samples)
      const buffer = new OfflineAudioContext(1, data.length, 16_000).createBuffer(2, data.length, 16_000)
      for (const channel of [0, 1]) buffer.copyToChannel(data, channel)
      const results = {
        ofSamples: await transcribe({ sampleRate: 16_000, data }),
        ofBuffer: await transcribe(buffer),
        ofWav: await transcribe(new File([bytesOf(wav)], 'talk.wav')),
        ofLaw: await transcribe(new Blob([bytesOf(law)])),
        error: await describe(model.transcribe(new Blob(['no sound'])).result),
      }
      await model.dispose()
      return results
    },
    {
      file: base64(whisperModel({ positions: 50, width: 4 })),
      wav: base64(wavFile(samples)),
      law: base64(lawFile(samples)),
      samples: [...samples],
    },
  )
  assert.deepEqual(ofBuffer, ofSamples)
  for (const one of [ofSamples, ofWav, ofLaw]) {
    assert.equal(one.finishReason, 'end')
    assert.ok(Math.abs(one.duration - 1.19) < 0.02, `${one.duration}`)
  }
  assert.equal(error.code, 'invalid-argument')
  assert.match(error.message, /cannot be decoded/, browserName)
})
