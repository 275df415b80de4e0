// llama.cpp, natively: as npm's node-llama-cpp has it compiled, or with the llama-bench that HEED_LLAMA_BENCH names.
import { fileURLToPath } from 'node:url'
import { execute } from '../../running/execute.mjs'
import { installPeer } from './peers.mjs'

const version = '3.22.1'

/** Resolves to what a program prints. Rejects with an error that names the peer. */
async function outputOf(command, args, env = {}) {
  const { stdout } = await execute(command, args, { capture: true, env: { ...process.env, ...env } })
    .catch(error => { throw new Error(`--vs llama.cpp: ${error.message} (HEED_LLAMA_BENCH names another)`) })
  return stdout
}

async function llamaBench(args) {
  const [command, ...before] = process.env.HEED_LLAMA_BENCH.split(/\s+/)
  return outputOf(command, [...before, ...args])
}

const install = () => installPeer('llama.cpp',
  { 'node-llama-cpp': version, [`@node-llama-cpp/${process.platform}-${process.arch}`]: version })

/** Installs it; rejects if there is none for this machine. */
export const prepareLlamaCpp = () => process.env.HEED_LLAMA_BENCH ? llamaBench(['--help']) : install()

async function byLlamaBench({ path, options: { threads, prompt, tokens, context } }) {
  const measure = async (...args) =>
    JSON.parse(await llamaBench(['-m', path, '-t', threads, '-r', 1, '-o', 'json', ...args]))
  const read = await measure('-p', prompt, '-n', 0)
  const written = await measure('-p', 0, '-n', tokens, '-d', context)
  return {
    prefill: Object.fromEntries(read.map(({ n_prompt, avg_ts }) => [n_prompt, avg_ts])),
    decode: Object.fromEntries(written.map(({ n_depth, avg_ts }) => [n_depth, avg_ts])),
  }
}

async function byNode({ path, options: { threads, prompt, tokens, context } }) {
  const program = fileURLToPath(new URL('node-llama-cpp.mjs', import.meta.url))
  const run = { folder: await install(), path, threads, prompt, tokens, context }
  // With several threads to call from, each call has threads of its own to wake, and a token takes twice as long.
  return JSON.parse(await outputOf(process.execPath, [program, JSON.stringify(run)], { UV_THREADPOOL_SIZE: '1' }))
}

export const llamaCpp = run => process.env.HEED_LLAMA_BENCH ? byLlamaBench(run) : byNode(run)
