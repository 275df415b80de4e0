// `npm run bench -- speech`: a sound transcribed by Whisper models of real shapes, in a browser, and the memory of its tab above an empty
// one. Weights are random, and every window has the same number of tokens. Engines take turns, those of pages each time in a new browser.
// Memory is measured in a run of its own, since looking at it takes time: on Linux and in Chromium, as by `npm run bench -- memory`.
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
import { installTransformersJs } from './engines/transformers-js.mjs'
import { prepareWhisperCpp, whisperCpp } from './engines/whisper-cpp.mjs'
import { medians } from './medians.mjs'
import { whisperCosts, whisperFile, whispers, writtenTokens } from './models/whisper.mjs'
import { whisperFolder } from './models/whisper-transformers.mjs'
import { peakOf } from './peak.mjs'
import { figure, table } from './report.mjs'
import { serveBench } from './site.mjs'

const soundName = 'sound.wav',
  onnxName = 'whisper-onnx'
const windowSeconds = 30

const callSpeech = (page, name, argument, script = 'speech') =>
  page.evaluate(async ([script, name, argument]) => (await import(`./${script}.js`))[name](argument), [script, name, argument])

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

/**
 * The same with transformers.js, whose files are always q8. A window has as many passes of the decoder as Heed's first: the end is the
 * last token. Later windows are not told the text before, and so have shorter prompts, and two passes fewer.
 */
async function transformersJs({ url, options: { seconds, threads, dot, browser: kind } }) {
  const browser = await startBrowser(kind, { v8: dotFlags[dot] })
  try {
    const page = await browser.open(url)
    const call = (name, argument) => callSpeech(page, name, argument, 'speech-transformers')
    await call('load', { url: onnxName, threads })
    const tokens = writtenTokens + 1
    for (let window = 0; window < 2; window++) await call('transcribe', { url: 'short.wav', tokens }) // V8 optimizes its code meanwhile
    const figures = await call('transcribe', { url: soundName, tokens })
    const expected = tokens * Math.ceil(seconds / windowSeconds)
    if (figures.tokens !== expected) throw new Error(`transformers.js wrote ${figures.tokens} tokens instead of ${expected}`)
    return figures
  } finally {
    await browser.close()
  }
}

/** Bytes above those of the empty tab. */
async function memory({ url, name, options: { threads, simd } }) {
  const browser = await startUnwatched()
  const { profile } = browser
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
  }
}

const engines = { heed, 'whisper.cpp': whisperCpp, 'transformers.js': transformersJs }

function print(name, shape, { seconds, threads, runs, browser }, { heed, ...peers }, fileBytes, taken) {
  const windows = Math.ceil(seconds / windowSeconds)
  const { encoder, attention, crossing, token } = whisperCosts(shape)
  const products = windows * (encoder + attention + crossing + writtenTokens * token)
  const rows = [
    [`${name}, ${seconds} s of sound, ${threads} threads`, 'heed', ...Object.keys(peers), ''],
    [
      'time, s',
      ...[heed, ...Object.values(peers)].map(({ ms }) => figure(ms / 1000)),
      `${Object.entries(peers)
        .map(([peer, { ms }]) => `${figure(ms / heed.ms)} x the speed of ${peer}; `)
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
  if (options.vs.includes('whisper.cpp')) await prepareWhisperCpp()
  const scripts = options.vs.includes('transformers.js') ? await installTransformersJs() : undefined
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
        const site = await serveBench({
          [`${name}.bin`]: path,
          [soundName]: sound,
          'short.wav': join(folder, 'short.wav'),
          ...(scripts && { ...scripts, [onnxName]: whisperFolder(model) }),
        })
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
