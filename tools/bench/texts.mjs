// `npm run bench -- texts`: the cost of several texts on one model, in a browser. Medians of runs, each in a new browser.
import { startBrowser } from '../browsers/index.mjs'
import { checkDot, dotFlags } from './dot.mjs'
import { benchEachModel } from './each-model.mjs'
import { figure, table } from './report.mjs'

const prompt2000 = 2000

async function measure({ url, file, options }) {
  const { threads, simd, dot, kv, prompt, tokens, parallel } = options
  const browser = await startBrowser(options.browser, { v8: dotFlags[dot] })
  try {
    const page = await browser.open(url)
    const call = (name, argument) =>
      page.evaluate(async ({ name, argument }) => (await import('./texts.js'))[name](argument), { name, argument })
    const contextLength = Math.max(4096 + 64, prompt + tokens)
    const { target } = await call('load', { url: file, threads, contextLength, parallel, simd, kvCache: kv })
    checkDot(dot, target)
    const one = await call('write', { texts: 1, prompt, tokens })
    const together = await call('write', { texts: parallel, prompt, tokens })
    const again = await call('write', { texts: 1, prompt, tokens })
    return {
      one: Math.max(one, again),
      together,
      ratio: together / Math.max(one, again),
      ...(await call('arrival', { prompt: prompt2000, tokens: 100 })),
      ...(await call('sessions', { length: 4000 })),
      ...(await call('conversations', { count: 20, system: 1000, own: 30, tokens: 8 })),
      ...(await call('conversation', { turns: 10, words: 5, tokens: 64 })),
    }
  } finally {
    await browser.close()
  }
}

function print(
  name,
  options,
  {
    one,
    together,
    ratio,
    gapMs,
    passMs,
    forkMs,
    forkBytes,
    saveGbs,
    restoreGbs,
    savedBytes,
    reused,
    turnReused,
    turnMs,
    freshMs,
    turnTokens,
  },
) {
  const rows = [
    [`${name}, ${options.threads} threads`, '', ''],
    ['one text, tok/s', figure(one), ''],
    [`${options.parallel} together, tok/s`, figure(together), `${figure(ratio)} x one`],
    [
      `longest gap while ${prompt2000} tokens are read, ms`,
      figure(gapMs),
      `${figure(gapMs / passMs)} x a pass of 128 (${figure(passMs)})`,
    ],
    ['fork of 4000 tokens, ms', figure(forkMs), `${forkBytes} bytes`],
    ['save, GB/s', figure(saveGbs), `${figure(savedBytes / 1e6)} MB`],
    ['restore, GB/s', figure(restoreGbs), ''],
    ['prompt tokens reused, 20 conversations', `${(reused * 100).toFixed(1)}%`, ''],
    ['of what a turn has in common, reused, at least', `${(turnReused * 100).toFixed(1)}%`, ''],
    ['first token of turn ten, ms', figure(turnMs), `${figure(turnMs / freshMs)} x a prompt of its ${turnTokens} new tokens`],
  ]
  console.log(`\n${table(rows, [0, 2])}\n`)
}

export const benchTexts = (options, toolchain) => benchEachModel(options, toolchain, { measure, print })
