// llama.cpp by its llama-bench: the one on the PATH, or the command in HEED_LLAMA_BENCH.
import { execute } from '../../toolchain/steps.mjs'

async function llamaBench(args) {
  const [command, ...before] = (process.env.HEED_LLAMA_BENCH || 'llama-bench').split(/\s+/)
  const { stdout } = await execute(command, [...before, ...args, '-r', '1', '-o', 'json'], { capture: true })
    .catch(error => { throw new Error(`--vs llama.cpp: ${error.message} (HEED_LLAMA_BENCH names another)`) })
  return JSON.parse(stdout)
}

export async function llamaCpp({ path, options: { threads, prompt, tokens, context } }) {
  const common = ['-m', path, '-t', threads]
  const read = await llamaBench([...common, '-p', prompt, '-n', 0])
  const written = await llamaBench([...common, '-p', 0, '-n', tokens, '-d', context])
  return {
    prefill: Object.fromEntries(read.map(({ n_prompt, avg_ts }) => [n_prompt, avg_ts])),
    decode: Object.fromEntries(written.map(({ n_depth, avg_ts }) => [n_depth, avg_ts])),
  }
}
