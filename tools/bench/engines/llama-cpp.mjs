// llama.cpp, natively: the build in npm's node-llama-cpp, or the llama-bench that HEED_LLAMA_BENCH names. With --dot sat,
// node-llama-cpp runs as on a processor without VNNI, like Heed.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execute } from '../../running/execute.mjs'
import { installPeer } from './peers.mjs'

const version = '3.22.1'

/** Resolves to the output of a program. Rejects with an error that names the peer. */
async function outputOf(command, args, env = {}) {
  const { stdout } = await execute(command, args, { capture: true, env: { ...process.env, ...env } }).catch(error => {
    throw new Error(`--vs llama.cpp: ${error.message} (HEED_LLAMA_BENCH names another)`)
  })
  return stdout
}

async function llamaBench(args) {
  const [command, ...before] = process.env.HEED_LLAMA_BENCH.split(/\s+/)
  return outputOf(command, [...before, ...args])
}

const binaries = `@node-llama-cpp/${process.platform}-${process.arch}`

/** llama.cpp has a library for each class of x86-64 processors, and loads the best supported one. These use at most AVX2. */
const upToAvx2 = /^libggml-cpu-(?:x64|sse42|sandybridge|ivybridge|piledriver|haswell)\.so$/
const withoutVnni = {
  name: 'avx2',
  change(folder) {
    const bins = join(folder, 'node_modules', binaries, 'bins', `${process.platform}-${process.arch}`)
    for (const file of readdirSync(bins)) if (/^libggml-cpu-/.test(file) && !upToAvx2.test(file)) rmSync(join(bins, file))
  },
}

const install = dot =>
  installPeer('llama.cpp', { 'node-llama-cpp': version, [binaries]: version }, dot === 'sat' ? withoutVnni : undefined)

/** Installs the peer; rejects if there is none for this machine. */
export const prepareLlamaCpp = ({ dot }) => (process.env.HEED_LLAMA_BENCH ? llamaBench(['--help']) : install(dot))

async function byLlamaBench({ path, options: { threads, prompt, tokens, context } }) {
  const measure = async (...args) => JSON.parse(await llamaBench(['-m', path, '-t', threads, '-r', 1, '-o', 'json', ...args]))
  const read = await measure('-p', prompt, '-n', 0)
  const written = await measure('-p', 0, '-n', tokens, '-d', context)
  return {
    prefill: Object.fromEntries(read.map(({ n_prompt, avg_ts }) => [n_prompt, avg_ts])),
    decode: Object.fromEntries(written.map(({ n_depth, avg_ts }) => [n_depth, avg_ts])),
  }
}

async function byNode({ path, options: { threads, prompt, tokens, context, dot } }) {
  const program = fileURLToPath(new URL('node-llama-cpp.mjs', import.meta.url))
  const run = { folder: await install(dot), path, threads, prompt, tokens, context }
  // When several threads make calls, each call wakes threads of its own, and a token takes twice as long.
  return JSON.parse(await outputOf(process.execPath, [program, JSON.stringify(run)], { UV_THREADPOOL_SIZE: '1' }))
}

export const llamaCpp = run => (process.env.HEED_LLAMA_BENCH ? byLlamaBench(run) : byNode(run))
