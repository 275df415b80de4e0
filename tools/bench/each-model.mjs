// What most benchmarks in a browser do: serve the chosen models, measure each several times, and print the medians.
import { buildPackage } from '../building/package.mjs'
import { step } from '../running/steps.mjs'
import { medians } from './medians.mjs'
import { chosenModels } from './models/chosen.mjs'
import { serveBench } from './site.mjs'

/**
 * `measure({ url, file, options, toolchain })` resolves to the figures of a run; `what` says what a run consists of, if not of one; `folder` is served, too.
 * Resolves to the figures and runs of each model.
 */
export async function benchEachModel(options, toolchain, { measure, print, what = '', folder }) {
  await buildPackage(toolchain)
  const models = await chosenModels(options, toolchain)
  const site = await serveBench(Object.fromEntries(models.map(({ name, path }) => [`${name}.gguf`, path])), folder)
  const results = []
  try {
    for (const { name } of models) {
      const runs = []
      await step(`${name}: ${options.runs} runs${what}`, async () => {
        for (let run = 0; run < options.runs; run++)
          runs.push(await measure({ url: site.url, file: `${name}.gguf`, options, toolchain }))
      })
      const figures = medians(runs)
      print(name, options, figures)
      results.push({ model: name, figures, runs })
    }
  } finally {
    await site.close()
  }
  return results
}
