#!/bin/sh
# What a page gives a speech model depends on which of two ways it lets Chromium resample: one folds everything above 8 kHz into the speech.
#
# Guessed: a browser's audio engine filters before it takes fewer samples, the same in each place, with what is common (60 dB or more).
# Seen, with Chromium 153 of @sparticuz/chromium 153.0.0 under Playwright 1.65.1, a second of a tone at 44.1 kHz that is made 16 kHz, as
# Whisper wants it, by decodeAudioData of an OfflineAudioContext with that rate, and by an AudioBufferSourceNode in such a context:
#
#     1000 Hz: decoded 0 dB, played 0 dB
#     7000 Hz: decoded -5 dB, played -1 dB
#     9000 Hz: decoded -22 dB, played -1 dB
#     12000 Hz: decoded -88 dB, played -2 dB
#
# The node interpolates between two samples and filters nothing: a tone of 12000 Hz is there, at 4000 Hz, nearly as loud as it was. Both are
# allowed; the Web Audio API leaves resampling to the browser. Rendering offline is the usual advice for "resample in a browser", and it puts
# the hiss of every s between the formants. The decoder's filter is soft: it takes 5 dB from 7000 Hz, and leaves a tenth of what lies above
# 8 kHz. What the models were trained on went through neither. Decoding to 48 kHz and filtering oneself helps (bindings/js/page/audio).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR="$folder" # where the browser is unpacked
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund playwright-core@1.65.1 @sparticuz/chromium@153.0.0
cat > tones.js <<'END'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright-core'

const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox'] })
const page = await browser.newPage()

/** How loud the tones are at 16 kHz, each beside what it was at 44.1 kHz, in decibels. */
const loudness = frequencies =>
  page.evaluate(async frequencies => {
    const [from, to, amplitude] = [44100, 16000, 0.5]
    const tone = frequency => Float32Array.from({ length: from }, (_, at) => amplitude * Math.sin((2 * Math.PI * frequency * at) / from))

    /** A WAV file of 32-bit floats. */
    function fileOf(samples) {
      const view = new DataView(new ArrayBuffer(44 + samples.byteLength))
      const write = (at, text) => [...text].forEach((character, place) => view.setUint8(at + place, character.charCodeAt(0)))
      write(0, 'RIFF')
      view.setUint32(4, 36 + samples.byteLength, true)
      write(8, 'WAVEfmt ')
      for (const [at, value] of [[16, 16], [24, from], [28, from * 4]]) view.setUint32(at, value, true)
      for (const [at, value] of [[20, 3], [22, 1], [32, 4], [34, 32]]) view.setUint16(at, value, true)
      write(36, 'data')
      view.setUint32(40, samples.byteLength, true)
      samples.forEach((sample, at) => view.setFloat32(44 + at * 4, sample, true))
      return view.buffer
    }

    const decoded = samples => new OfflineAudioContext(1, to, to).decodeAudioData(fileOf(samples))
    function played(samples) {
      const context = new OfflineAudioContext(1, to, to)
      const source = new AudioBufferSourceNode(context, { buffer: new AudioBuffer({ length: from, sampleRate: from }) })
      source.buffer.copyToChannel(samples, 0)
      source.connect(context.destination)
      source.start()
      return context.startRendering()
    }
    const decibels = buffer => {
      const middle = buffer.getChannelData(0).subarray(2000, 14000)
      const power = middle.reduce((sum, sample) => sum + sample ** 2, 0) / middle.length
      return Math.round(10 * Math.log10(power / (amplitude ** 2 / 2))) + 0
    }
    return Promise.all(frequencies.map(async frequency => {
      const samples = tone(frequency)
      return { frequency, decoded: decibels(await decoded(samples)), played: decibels(await played(samples)) }
    }))
  }, frequencies)

const seen = await loudness([1000, 7000, 9000, 12000])
await browser.close()
for (const { frequency, decoded, played } of seen) console.log(`${frequency} Hz: decoded ${decoded} dB, played ${played} dB`)
const isAs = (value, expected) => Math.abs(value - expected) <= 2
const [low, high, above, far] = seen.map(({ decoded }) => decoded)
const decodes = isAs(low, 0) && isAs(high, -5) && isAs(above, -22) && far < -60
process.exit(decodes && seen.every(({ played }) => played > -4) ? 0 : 1)
END
node tones.js
