// `npm run bench` sets up what is missing, measures, and prints tables; `npm run bench -- --help` lists the options.
import { writeFileSync } from 'node:fs'
import { installNpmPackages } from '../building/npm.mjs'
import { openToolchain } from '../toolchain/index.mjs'
import { readOptions, usage, UsageError } from './options.mjs'

/** Imported only after the npm packages are installed, because the benchmarks need them. */
const benches = {
  models: async (...args) => (await import('./models-in-browser.mjs')).benchModels(...args),
  texts: async (...args) => (await import('./texts.mjs')).benchTexts(...args),
  memory: async (...args) => (await import('./memory.mjs')).benchMemory(...args),
  passes: async (...args) => (await import('./passes.mjs')).benchPasses(...args),
  drafts: async (...args) => (await import('./drafts.mjs')).benchDrafts(...args),
  store: async (...args) => (await import('./store.mjs')).benchStore(...args),
  sweep: async (...args) => (await import('./sweep.mjs')).benchSweep(...args),
  lab: async (...args) => (await import('./lab.mjs')).benchLab(...args),
  vision: async (...args) => (await import('./vision.mjs')).benchVision(...args),
  speech: async (...args) => (await import('./speech.mjs')).benchSpeech(...args),
  kernels: async (...args) => (await import('./kernels.mjs')).benchKernels(...args),
  threads: async (...args) => (await import('./threads.mjs')).benchThreads(...args),
  constraints: async (...args) => (await import('./constraints.mjs')).benchConstraints(...args),
  tokenizers: async (...args) => (await import('./tokenizers.mjs')).benchTokenizers(...args),
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options.command === 'help') {
    console.log(usage)
  } else {
    const toolchain = await openToolchain()
    await installNpmPackages()
    const results = await benches[options.command](options, toolchain)
    if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`)
  }
} catch (error) {
  console.error(error.message)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
