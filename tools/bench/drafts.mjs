// `npm run bench -- drafts`: tokens per second with drafts, relative to those without, in a browser or Node: of a model whose next tokens are
// known, and of whose drafts a known share is right. FILE.json beside the model says which: {classes: [{rate, start, next}]}, in each of which
// the token `start` is followed by those in `next`, and `rate` % of the drafts are right.
import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { buildPackage } from '../building/package.mjs'
import { step } from '../running/steps.mjs'
import { checkDot } from './dot.mjs'
import { draftsByLlamaServer, prepareLlamaServer } from './engines/llama-server.mjs'
import { medians } from './medians.mjs'
import { UsageError } from './options.mjs'
import { callAt } from './places.mjs'
import { figure, share, table } from './report.mjs'
import { serveBench } from './site.mjs'

const rounds = 3 // of texts with and without drafts
const mostOfPeer = [1, 3] // drafts a pass

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

async function measure({ url, classes, options, toolchain }) {
  const { browser: place, threads, simd, dot, context, tokens, parallel, draft } = options
  const files = { url: `${url}model.gguf`, ...(draft && { draft: `${url}draft.gguf` }) }
  const asked = { ...files, classes, rounds, context, tokens, parallel, threads, simd }
  const { target, byRate } = await callAt({ place, dot, url, toolchain }, 'drafts.js', 'compare', asked)
  checkDot(dot, target)
  const figures = Object.entries(byRate).map(([rate, { first, plain, drafted }]) => {
    const off = medians(plain),
      on = medians(drafted)
    const ratios = { ratio: on.perSecond / off.perSecond, first: first.perSecond / off.perSecond }
    return [rate, { off: off.perSecond, on: on.perSecond, ...ratios, drafted: on.draftedTokens, accepted: on.acceptedDrafts }]
  })
  return { target, byRate: Object.fromEntries(figures) }
}

/** The peer's speed with drafts, by rate, and Heed's relative to it. */
async function beside({ byRate, ...measured }, run) {
  const ways = []
  for (const most of mostOfPeer) ways.push(await draftsByLlamaServer(run, most))
  const compared = Object.entries(byRate).map(([rate, figures]) => {
    const peer = ways.map(way => way[rate]).reduce((one, other) => (other.perSecond > one.perSecond ? other : one))
    return [rate, { ...figures, peerOff: peer.off, peer: peer.perSecond, toPeer: figures.on / peer.perSecond }]
  })
  return { ...measured, byRate: Object.fromEntries(compared) }
}

function print(name, { threads, tokens, parallel, browser, runs, vs }, { target, byRate }) {
  const peers = vs.length > 0
  const rows = [
    [
      `${name}, ${parallel} at once, ${threads} threads`,
      'off, tok/s',
      'drafts, tok/s',
      'x',
      'first text, x',
      `drafted (of ${tokens})`,
      'right',
      ...(peers ? ['llama.cpp off', 'drafts', 'Heed to it, x'] : []),
    ],
    ...Object.entries(byRate).map(([rate, { off, on, ratio, first, drafted, accepted, peerOff, peer, toPeer }]) => [
      `${rate} % right`,
      figure(off),
      figure(on),
      figure(ratio),
      figure(first),
      String(drafted),
      drafted > 0 ? share(accepted / drafted) : '',
      ...(peers ? [figure(peerOff), figure(peer), figure(toPeer)] : []),
    ]),
  ]
  console.log(`\n${table(rows, [0])}\n${browser}: ${target}; medians of ${runs}\n`)
}

export async function benchDrafts(options, toolchain) {
  const classes = classesOf(options)
  await buildPackage(toolchain)
  const { file, draft, vs } = options
  if (vs.length > 0) await prepareLlamaServer()
  const site = await serveBench({ 'model.gguf': resolve(file), ...(draft && { 'draft.gguf': resolve(draft) }) })
  try {
    const runs = []
    await step(`${basename(file)}: ${options.runs} runs`, async () => {
      for (let run = 0; run < options.runs; run++) {
        const ours = await measure({ url: site.url, classes, options, toolchain })
        runs.push(vs.length > 0 ? await beside(ours, { path: resolve(file), classes, options }) : ours)
      }
    })
    const figures = medians(runs)
    print(basename(file, '.gguf'), options, figures)
    return [{ model: basename(file), figures, runs }]
  } finally {
    await site.close()
  }
}
