// `npm run bench -- drafts`: tokens per second with drafts, relative to those without, in a browser: of a model whose next tokens are known,
// and of whose drafts a known share is right. FILE.json beside the model says which: {classes: [{rate, start, next}]}, in each of which
// the token `start` is followed by those in `next`, and `rate` % of the drafts are right.
import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { startBrowser } from '../browsers/index.mjs'
import { buildPackage } from '../building/package.mjs'
import { step } from '../running/steps.mjs'
import { checkDot, dotFlags } from './dot.mjs'
import { medians } from './medians.mjs'
import { UsageError } from './options.mjs'
import { figure, share, table } from './report.mjs'
import { serveBench } from './site.mjs'

const rounds = 3 // of texts with and without drafts

function classesOf({ file, accept }) {
  const described = `${file}.json`
  if (!existsSync(described)) throw new UsageError(`--file: ${described}, which describes the model's texts, is missing`)
  const { classes } = JSON.parse(readFileSync(described, 'utf8'))
  return accept.map(rate => {
    const found = classes.find(one => one.rate === rate)
    if (!found) throw new UsageError(`--accept: the model has ${classes.map(one => one.rate).join(', ')}, not ${rate}`)
    return found
  })
}

async function measure({ url, classes, options }) {
  const { threads, simd, dot, context, tokens, draft } = options
  const browser = await startBrowser(options.browser, { v8: dotFlags[dot] })
  try {
    const page = await browser.open(url)
    const call = (name, argument) =>
      page.evaluate(async ({ name, argument }) => (await import('./drafts.js'))[name](argument), { name, argument })
    const contextLength = context + tokens + 16
    const { target } = await call('load', { url: 'model.gguf', draft: draft && 'draft.gguf', threads, contextLength, simd })
    checkDot(dot, target)
    const byRate = {}
    for (const one of classes) {
      const { first, plain, drafted } = await call('compare', { class: one, context, tokens, rounds })
      const off = medians(plain),
        on = medians(drafted)
      byRate[one.rate] = {
        off: off.perSecond,
        on: on.perSecond,
        ratio: on.perSecond / off.perSecond,
        first: first.perSecond / off.perSecond,
        drafted: on.draftedTokens,
        accepted: on.acceptedDrafts,
      }
    }
    return { target, byRate }
  } finally {
    await browser.close()
  }
}

function print(name, { threads, tokens, browser, runs }, { target, byRate }) {
  const rows = [
    [`${name}, ${threads} threads`, 'off, tok/s', 'drafts, tok/s', 'x', 'first text, x', `drafted (of ${tokens})`, 'right'],
    ...Object.entries(byRate).map(([rate, { off, on, ratio, first, drafted, accepted }]) => [
      `${rate} % right`,
      figure(off),
      figure(on),
      figure(ratio),
      figure(first),
      String(drafted),
      drafted > 0 ? share(accepted / drafted) : '',
    ]),
  ]
  console.log(`\n${table(rows, [0])}\n${browser}: ${target}; medians of ${runs}\n`)
}

export async function benchDrafts(options, toolchain) {
  const classes = classesOf(options)
  await buildPackage(toolchain)
  const { file, draft } = options
  const site = await serveBench({ 'model.gguf': resolve(file), ...(draft && { 'draft.gguf': resolve(draft) }) })
  try {
    const runs = []
    await step(`${basename(file)}: ${options.runs} runs`, async () => {
      for (let run = 0; run < options.runs; run++) runs.push(await measure({ url: site.url, classes, options }))
    })
    const figures = medians(runs)
    print(basename(file, '.gguf'), options, figures)
    return [{ model: basename(file), figures, runs }]
  } finally {
    await site.close()
  }
}
