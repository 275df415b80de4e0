// `npm run bench -- speech`: a sound transcribed by Whisper models of real shapes, in a browser, and the memory of its tab above an empty
// one. Weights are random, and every window has the same number of tokens. Engines take turns, Heed each time in a new browser. Memory
// is measured in a run of its own, since looking at it takes time: on Linux and in Chromium, as by `npm run bench -- memory`.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBrowser } from '../browsers/index.mjs'
import { proportionalMemory } from '../browsers/processes.mjs'
import { startUnwatched } from '../browsers/unwatched.mjs'
import { buildPackage } from '../building/package.mjs'
import { step } from '../running/steps.mjs'
import { chirp, wavFile } from '../sounds.mjs'
import { checkDot, dotFlags } from './dot.mjs'
import { prepareWhisperCpp, whisperCpp } from './engines/whisper-cpp.mjs'
import { medians } from './medians.mjs'
import { whisperCosts, whisperFile, whispers, writtenTokens } from './models/whisper.mjs'
import { peakOf } from './peak.mjs'
import { figure, table } from './report.mjs'
import { serveBench } from './site.mjs'

const soundName = 'sound.wav'
const windowSeconds = 30

const callSpeech = (page, name, argument) =>
  page.evaluate(async ([name, argument]) => (await import('./speech.js'))[name](argument), [name, argument])

/** Resolves to the figures of one transcription in a new browser, after a shorter one. */
async function heed({ url, name, options: { threads, simd, dot, browser: kind } }) {
  const browser = await startBrowser(kind, { v8: dotFlags[dot] })
  try {
    const page = await browser.open(url)
    const info = await callSpeech(page, 'load', { url: `${name}.bin`, threads, simd })
    checkDot(dot, info.target)
    await callSpeech(page, 'transcribe', 'short.wav')
    return { ...(await callSpeech(page, 'transcribe', soundName)), target: info.target }
  } finally {
    await browser.close()
  }
}

/** Bytes above those of the empty tab. */
async function memory({ url, name, options: { threads, simd } }) {
  const profile = mkdtempSync(join(tmpdir(), 'heed-bench-'))
  const browser = await startUnwatched({ profile })
  try {
    const page = await browser.open(url)
    await page.evaluate(() => import('./speech.js'))
    const empty = proportionalMemory(profile)
    const peak = await peakOf(profile, async () => {
      await callSpeech(page, 'load', { url: `${name}.bin`, threads, simd })
      await callSpeech(page, 'transcribe', soundName)
    })
    return { peakBytes: peak - empty, afterBytes: proportionalMemory(profile) - empty }
  } finally {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

const engines = { heed, 'whisper.cpp': whisperCpp }

function print(name, shape, { seconds, threads, runs, browser }, { heed, ...peers }, fileBytes, taken) {
  const windows = Math.ceil(seconds / windowSeconds)
  const { encoder, attention, crossing, token } = whisperCosts(shape)
  const products = windows * (encoder + attention + crossing + writtenTokens * token)
  const rows = [
    [`${name}, ${seconds} s of sound, ${threads} threads`, 'heed', ...Object.keys(peers), ''],
    [
      'time, s',
      ...[heed, ...Object.values(peers)].map(({ ms }) => figure(ms / 1000)),
      `${Object.values(peers)
        .map(({ ms }) => `${figure(ms / heed.ms)} x the speed of the peer; `)
        .join('')}${figure((1000 * seconds) / heed.ms)} x real time`,
    ],
    [
      'all products, GMAC/s',
      ...[heed, ...Object.values(peers)].map(({ ms }) => figure(products / ms / 1e6)),
      `${figure(products / 1e9)} GMAC`,
    ],
    ...(taken
      ? [memoryRow('above an empty tab, peak, MB', taken.peakBytes), memoryRow('the same, after, MB', taken.afterBytes)]
      : []),
  ]
  function memoryRow(title, bytes) {
    return [title, figure(bytes / 1e6), ...Object.keys(peers).map(() => ''), `${figure(bytes / fileBytes)} x the file`]
  }
  console.log(`\n${table(rows, [0, rows[0].length - 1])}\n`)
  console.log(`${browser}: ${heed.target}; medians of ${runs}\n`)
}

export async function benchSpeech(options, toolchain) {
  await buildPackage(toolchain)
  if (options.vs.length > 0) await prepareWhisperCpp()
  const folder = mkdtempSync(join(tmpdir(), 'heed-bench-'))
  const sound = join(folder, soundName)
  writeFileSync(sound, wavFile(chirp(options.seconds)))
  writeFileSync(join(folder, 'short.wav'), wavFile(chirp(1)))
  const results = []
  try {
    for (const model of options.model) {
      for (const format of options.format) {
        const name = `whisper-${model}-${format}`,
          path = whisperFile(model, format)
        const site = await serveBench({ [`${name}.bin`]: path, [soundName]: sound, 'short.wav': join(folder, 'short.wav') })
        try {
          const run = { url: site.url, name, path, sound, options }
          const runs = []
          await step(`${name}: ${options.runs} runs of ${['heed', ...options.vs].join(', ')}`, async () => {
            for (let at = 0; at < options.runs; at++) {
              const figures = {}
              for (const engine of ['heed', ...options.vs]) figures[engine] = await engines[engine](run)
              runs.push(figures)
            }
          })
          const figures = medians(runs)
          const taken = options.browser === 'chromium' ? await step(`${name}: memory`, () => memory(run)) : undefined
          print(name, whispers[model], options, figures, statSync(path).size, taken)
          results.push({ model: name, engines: figures, memory: taken, runs })
        } finally {
          await site.close()
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return results
}
