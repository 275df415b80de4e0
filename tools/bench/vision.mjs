// `npm run bench -- vision`: processing an image, in a browser. Towers have real shapes; the text models that take their rows are
// small, so that the tower dominates. Engines take turns, each in a new browser. Prints medians of each engine's second image, how
// close the tower's products come to the machine's limit, and the memory of the pair.
import { statSync } from 'node:fs'
import { startBrowser } from '../browsers/index.mjs'
import { buildPreset } from '../building/cmake.mjs'
import { buildPackage } from '../building/package.mjs'
import { step } from '../running/steps.mjs'
import { medians } from './medians.mjs'
import { pairOf, towerCosts, towers } from './models/towers.mjs'
import { figure, share, table } from './report.mjs'
import { serveBench } from './site.mjs'

const contextLength = 1024

/** Resolves to the figures of one engine in a new browser. `before(page)` measures more in it, and `after(page, call, measured)` at the end. */
async function measure(engine, { url, name, options: { image: side, threads, simd, browser: kind } }, { before, after } = {}) {
  const browser = await startBrowser(kind)
  try {
    const page = await browser.open(url)
    const measured = await before?.(page)
    const call = (call, argument) =>
      page.evaluate(async ({ engine, call, argument }) => (await bench.engine(engine))[call](argument), { engine, call, argument })
    const see = number =>
      page.evaluate(
        async ({ engine, side, number }) => {
          const image = await (await bench.engine('picture')).picture({ side, number })
          return (await bench.engine(engine)).see(image)
        },
        { engine, side, number },
      )
    const { info } = await call('load', { url: `${name}.gguf`, projector: `${name}-mmproj.gguf`, threads, contextLength, simd })
    const first = await see(1)
    const second = await see(2)
    return { firstMs: first.firstTokenMs, ...second, info, ...(await after?.(page, call, measured)) }
  } finally {
    await browser.close()
  }
}

const engines = {
  wllama: run => measure('wllama', run),
  heed(run) {
    const { image, threads } = run.options
    const probe = page => page.evaluate(threads => bench.probe(threads), threads)
    return measure('heed', run, {
      before: probe,
      after: async (page, call, limits) => ({
        bytesInUse: await call('bytesInUse'),
        memoryBytes: await call('memory'),
        rows: await call('tiles', { width: image, height: image }),
        limits: { dot: Math.max(limits.dot, (await probe(page)).dot) }, // the machine may have been busy at one of the two
      }),
    })
  },
}

/** Relates Heed's figures to the machine's limits and to the bytes of the files. */
function compare(heed, shape, fileBytes) {
  const tiles = heed.rows.map(rows => ({ rows, patches: rows * shape.merge ** 2 }))
  const costs = towerCosts(shape, tiles)
  const seconds = (heed.firstTokenMs - heed.rowsMs) / 1000
  const rate = products => products / seconds / 1e9
  return {
    ...heed,
    tiles,
    costs,
    fileBytes,
    towerMs: seconds * 1000,
    gigaproductsPerSecond: rate(costs.products),
    withAttention: rate(costs.products + costs.attention),
    toMost: rate(costs.products) / heed.limits.dot,
    withAttentionToMost: rate(costs.products + costs.attention) / heed.limits.dot,
    beyondFiles: heed.bytesInUse - fileBytes,
    beyondEngine: heed.memoryBytes - heed.bytesInUse,
  }
}

function print(name, { image, threads, runs, browser }, { heed, ...peers }) {
  const names = Object.keys(peers),
    megabytes = bytes => `${figure(bytes / 1e6)} MB`
  const line = (title, value, note = '') => [
    title,
    figure(value(heed)),
    ...names.map(peer => `${figure(value(peers[peer]))} (${figure(value(peers[peer]) / value(heed))}x)`),
    note,
  ]
  const own = (title, text, note = '') => [title, text, ...names.map(() => ''), note]
  const { tiles, costs, limits } = heed
  const giga = products => figure(products / 1e9)
  const rows = [
    [`${name}, ${image} pixels, ${threads} threads`, 'heed', ...names, ''],
    line('first image, to the first token, ms', ({ firstMs }) => firstMs),
    line(
      'another image, to the first token, ms',
      ({ firstTokenMs }) => firstTokenMs,
      `tiles of ${tiles.map(({ patches }) => patches).join(' and ')} patches`,
    ),
    own(
      'of which the tower, ms',
      figure(heed.towerMs),
      `${giga(costs.products)} GMAC of matrices, ${giga(costs.attention)} of attention`,
    ),
    own(
      'matrices, GMAC/s',
      figure(heed.gigaproductsPerSecond),
      `${share(heed.toMost)} of the dot-product peak, ${figure(limits.dot)}`,
    ),
    own('with attention, GMAC/s', figure(heed.withAttention), share(heed.withAttentionToMost)),
    own('files of the pair', megabytes(heed.fileBytes)),
    own('engine, in use', megabytes(heed.bytesInUse), `${megabytes(heed.beyondFiles)} beyond the files: scratch memory and caches`),
    own(
      'wasm memory',
      megabytes(heed.memoryBytes),
      `${megabytes(heed.beyondEngine)} beyond that; the largest layer's activations: ${megabytes(costs.activationBytes)}`,
    ),
  ]
  console.log(`\n${table(rows, [0, names.length + 2])}\n`)
  console.log(`${browser}: ${heed.info.simd}, ${heed.info.target}; medians of ${runs}\n`)
}

export async function benchVision(options, toolchain) {
  await buildPackage(toolchain)
  await buildPreset(toolchain, 'wasm-relaxed', ['heed_probes'])
  const results = []
  for (const tower of options.model) {
    for (const format of options.format) {
      const name = `${tower}-${format}`,
        { model, projector } = pairOf(tower, format)
      const site = await serveBench({ [`${name}.gguf`]: model, [`${name}-mmproj.gguf`]: projector })
      try {
        const runs = []
        await step(`${name}: ${options.runs} runs of ${['heed', ...options.vs].join(', ')}`, async () => {
          for (let run = 0; run < options.runs; run++) {
            const figures = {}
            for (const engine of ['heed', ...options.vs]) figures[engine] = await engines[engine]({ url: site.url, name, options })
            runs.push(figures)
          }
        })
        const figures = medians(runs)
        const fileBytes = [model, projector].reduce((sum, path) => sum + statSync(path).size, 0)
        figures.heed = compare({ ...figures.heed, rows: runs[0].heed.rows }, towers[tower], fileBytes)
        print(name, options, figures)
        results.push({ model: name, engines: figures, runs })
      } finally {
        await site.close()
      }
    }
  }
  return results
}
