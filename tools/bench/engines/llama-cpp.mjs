// llama.cpp, measured with its llama-bench: the one on the PATH, or the command in HEED_LLAMA_BENCH.
import { execute } from '../../running/execute.mjs'

async function llamaBench(args) {
  const [command, ...before] = (process.env.HEED_LLAMA_BENCH || 'llama-bench').split(/\s+/)
  const { stdout } = await execute(command, [...before, ...args], { capture: true })
    .catch(error => { throw new Error(`--vs llama.cpp: ${error.message} (HEED_LLAMA_BENCH names another)`) })
  return stdout
}

/** Rejects if there is no llama-bench. */
export const checkLlamaCpp = () => llamaBench(['--help'])

export async function llamaCpp({ path, options: { threads, prompt, tokens, context } }) {
  const measure = async (...args) =>
    JSON.parse(await llamaBench(['-m', path, '-t', threads, '-r', 1, '-o', 'json', ...args]))
  const read = await measure('-p', prompt, '-n', 0)
  const written = await measure('-p', 0, '-n', tokens, '-d', context)
  return {
    prefill: Object.fromEntries(read.map(({ n_prompt, avg_ts }) => [n_prompt, avg_ts])),
    decode: Object.fromEntries(written.map(({ n_depth, avg_ts }) => [n_depth, avg_ts])),
  }
}
