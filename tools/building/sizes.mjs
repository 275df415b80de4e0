// Checks and prints the gzipped sizes of the files that pages download.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { inRoot } from '../paths.mjs'
import { hasGlue } from './modules.mjs'
import { say } from '../running/steps.mjs'

/** The most that a page may download with each module. */
const mostBytes = { simd128: 320_500, relaxed: 335_000, memory64: 345_000 }
/** The most that the extra module of each may add. */
const mostExtraBytes = 168_000
/** The largest sizes of entry points and of files that only some pages download. */
export const mostBytesOf = {
  'index.js': 25_900,
  'viewer.js': 38_500,
  'isolation.js': 1_600,
  'heed-isolation.js': 1_470,
  'in-thread.js': 180_000, // with the scripts of all modules and workers
  'heed-store.js': 27_400,
  'chat.js': 35_600,
  'converse.js': 17_200,
  'lab.js': 25_800,
  'shared.js': 4_500,
  'audio.js': 4_450,
  'heed-lab.js': 10_700,
  'heed-kept.js': 4_000,
  'heed-microphone.js': 500,
  'heed-template.js': 28_400,
  'openai.js': 15_300,
  'ai-sdk.js': 6_700,
  'prompt-api.js': 8_700,
  'task-apis.js': 6_400,
  'elements.js': 26_500,
  'langchain.js': 4_200,
  'mcp.js': 1_900,
  'react.js': 2_600,
  'heed-constraints.js': 2_400,
  'heed-constraints.wasm': 180_300,
}

const zippedBytes = names => names.reduce((sum, name) => sum + gzipSync(readFileSync(inRoot('dist', name)), { level: 9 }).length, 0)
const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} KB`

/** Everything that a page downloads with a module: the main script, the workers' scripts and the module. */
function checkModule(name) {
  const script = zippedBytes(['index.js', 'heed-worker.js', `heed-${name}.js`])
  const wasm = zippedBytes([`heed-${name}.wasm`])
  const total = script + wasm
  const parts = `JavaScript ${kilobytes(script)}, wasm ${kilobytes(wasm)}`
  say(`  gzipped, with ${name}: ${kilobytes(total)} (${parts})`)
  const extra = zippedBytes([`heed-${name}-extra.wasm`])
  say(`  gzipped, what few pages use with ${name}: ${kilobytes(extra)}`)
  if (extra > mostExtraBytes) throw new Error(`heed-${name}-extra.wasm is over ${kilobytes(mostExtraBytes)}, gzipped`)
  if (total > mostBytes[name]) throw new Error(`the package with ${name} is over ${kilobytes(mostBytes[name])}, gzipped`)
}

/** Throws if the built files, or a page with one of these modules, are larger than allowed. */
export function checkSizes(modules) {
  for (const name of modules.filter(hasGlue)) checkModule(name)
  for (const [name, most] of Object.entries(mostBytesOf)) {
    const bytes = zippedBytes([name])
    say(`  ${name}, gzipped: ${kilobytes(bytes)}`)
    if (bytes > most) throw new Error(`${name} is over ${kilobytes(most)}, gzipped`)
  }
}
