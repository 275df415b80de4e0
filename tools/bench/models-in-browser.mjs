// `npm run bench` measures each model in each engine, alternating between the engines; it prints medians, and how close they
// come to the machine's limits.
import { buildPackage } from '../building/package.mjs'
import { buildPreset } from '../building/cmake.mjs'
import { step } from '../running/steps.mjs'
import { cacheBytes, costsOf } from './costs.mjs'
import { llamaCpp, prepareLlamaCpp } from './engines/llama-cpp.mjs'
import { heed, otherHeed, wllama } from './engines/page.mjs'
import { chosenModels } from './models/chosen.mjs'
import { medians } from './medians.mjs'
import { printFigures } from './report.mjs'
import { serveBench } from './site.mjs'

const peers = { wllama, 'llama.cpp': llamaCpp }

/** Relates Heed's figures: speeds as fractions of the machine's limits, sizes and times as ratios. */
function compare(figures, costs, { prompt, context, tokens }) {
  const { limits, info, decode, prefill } = figures
  const bytesPerToken = positions => costs.weightBytes + cacheBytes(info, positions, costs.attending)
  const mostGigabytes = Math.max(limits.stream, limits.rows, limits.gemv)
  const byLength = (lengths, compute) => Object.fromEntries(lengths.map(length => [length, compute(length)]))
  const gigabytes = byLength(context, length => (decode[length] * bytesPerToken(length + tokens / 2)) / 1e9)
  const gigaproducts = byLength(prompt, length => (prefill[length] * costs.layerProducts) / 1e9)
  const kept = costs.fileBytes + cacheBytes(info, info.contextLength, costs.attending)
  return {
    ...figures,
    loadToSum: figures.loadMs / figures.sumMs,
    freshToWarm: figures.freshPrefill / prefill[prompt[0]],
    weightsAndCacheBytes: kept,
    memoryToKept: figures.memoryBytes / kept,
    mostGigabytesPerSecond: mostGigabytes,
    decodeGigabytesPerSecond: gigabytes,
    ...(context.length > 1 && {
      longerContext: byLength(context.slice(1), length => ({
        slower: decode[context[0]] / decode[length],
        bytes: bytesPerToken(length + tokens / 2) / bytesPerToken(context[0] + tokens / 2),
      })),
    }),
    decodeToMost: byLength(context, length => gigabytes[length] / mostGigabytes),
    prefillGigaproductsPerSecond: gigaproducts,
    prefillToMost: byLength(prompt, length => gigaproducts[length] / limits.dot),
  }
}

export async function benchModels(options, toolchain) {
  if (options.vs.includes('llama.cpp')) await prepareLlamaCpp(options)
  await buildPackage(toolchain)
  await buildPreset(toolchain, 'wasm-relaxed', ['heed_probes'])
  const models = await chosenModels(options, toolchain)
  const site = await serveBench(Object.fromEntries(models.map(({ name, path }) => [`${name}.gguf`, path])))
  const other = options.memory[1]
  const engines = {
    heed,
    ...(other && { [`heed, ${other} bits`]: otherHeed }),
    ...Object.fromEntries(options.vs.map(name => [name, peers[name]])),
  }
  const results = []
  try {
    for (const { name, path, tensors } of models) {
      const runs = []
      await step(`${name}: ${options.runs} runs of ${Object.keys(engines).join(', ')}`, async () => {
        for (let run = 0; run < options.runs; run++) {
          const figures = {}
          for (const [engine, measure] of Object.entries(engines)) {
            figures[engine] = await measure({ url: site.url, file: `${name}.gguf`, path, options })
          }
          runs.push(figures)
        }
      })
      const costs = costsOf(tensors)
      const figures = medians(runs)
      figures.heed = compare(figures.heed, costs, options)
      const result = { model: name, costs, engines: figures, runs }
      printFigures(result, options)
      results.push(result)
    }
  } finally {
    await site.close()
  }
  return results
}
