// whisper.cpp, natively: Debian's newest, in a root of its own, or the whisper-cli that HEED_WHISPER_CLI names.
import { installApart, scriptApart } from '../../browsers/apart.mjs'
import { execute } from '../../running/execute.mjs'

const name = 'whisper.cpp',
  program = 'whisper-cli'

const command = () => process.env.HEED_WHISPER_CLI?.split(/\s+/) ?? [scriptApart(name, program)]

/** Installs it if it is missing. */
export const prepareWhisperCpp = async () => {
  if (!process.env.HEED_WHISPER_CLI) await installApart(name, ['whisper.cpp-tools'], [program])
}

/** The milliseconds of a line of whisper.cpp's timings. */
function timeOf(output, title) {
  const [, ms] = new RegExp(`${title} time = +([\\d.]+) ms`).exec(output) ?? []
  if (ms === undefined) throw new Error(`--vs whisper.cpp: no "${title} time" in its output:\n${output.slice(-2000)}`)
  return Number(ms)
}

/** Greedily, without times or a second try, as Heed does in this benchmark. Resolves to {ms, encodeMs, tokens}. */
export async function whisperCpp({ path, sound, options: { threads } }) {
  const greedy = ['-bs', '1', '-bo', '1', '-nf', '-nt', '-tp', '0']
  const args = [...command(), '-m', path, '-f', sound, '-t', `${threads}`, '-l', 'en', ...greedy]
  const { stdout: output } = await execute('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...args], { capture: true, shown: args })
  const [, decoded] = /decode time = .*\/ +(\d+) runs/.exec(output) ?? []
  const [, windows] = /encode time = .*\/ +(\d+) runs/.exec(output) ?? []
  return {
    ms: timeOf(output, 'total') - timeOf(output, 'load'),
    encodeMs: timeOf(output, 'encode'),
    decodeMs: timeOf(output, 'decode'),
    tokens: Number(decoded) + Number(windows), // its prompt's pass gives the first of each window
  }
}
