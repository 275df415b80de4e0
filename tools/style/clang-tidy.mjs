// What clang-tidy finds in the engine, with the checks of .clang-tidy.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configurePreset } from '../cmake.mjs'
import { inRoot, root } from '../paths.mjs'

const preset = 'native-release'
/** Others have other checks. */
const version = 21

/** Why there is nothing to be found here, or undefined. */
export async function clangTidyObstacle({ run }) {
  const { stdout } = await run('clang-tidy', ['--version'], { capture: true, check: false }).catch(() => ({ stdout: '' }))
  const found = /version (\d+)/.exec(stdout)?.[1]
  if (!found) return `there is no clang-tidy, which looks for faults in C++ (${version} is needed)`
  if (Number(found) !== version) return `clang-tidy is ${found}, and the checks are those of ${version}`
}

/**
 * The units that the engine and its program are compiled as; of the kernels' targets only `scalar`: the algorithms are the same in
 * all, and the few lines of an instruction set are not looked at.
 */
function units() {
  const commands = JSON.parse(readFileSync(inRoot('build', preset, 'compile_commands.json'), 'utf8'))
  const files = commands.map(({ file }) => file)
  const unity = files.filter(file => /\/CMakeFiles\/heed(_cli)?\.dir\/Unity\//.test(file))
  if (unity.length === 0) throw new Error(`build/${preset} has no units of the engine to look through`)
  return [...unity, inRoot('src/kernels/targets/scalar.cpp')]
}

/** Files that are part of a unit. */
export const isLookedAt = path => !/^src\/kernels\/(isa|targets)\/(?!scalar\.|instruction_set\.)/.test(path)

/** {status, stdout}, with what it says of itself. */
function tidy(toolchain, ...args) {
  const headers = `--header-filter=^${inRoot('src').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`
  const command = ['-c', 'exec clang-tidy "$@" 2>&1', 'sh', '--quiet', headers, '-p', inRoot('build', preset), ...args]
  return toolchain.run('sh', command, { cwd: root, capture: true, check: false })
}

/** {path, line, message, check} of each finding, once. */
export async function findings(toolchain) {
  await configurePreset(toolchain, preset)
  const waiting = units()
  const lines = new Set()
  await Promise.all(Array.from({ length: availableParallelism() }, async () => {
    for (let unit; (unit = waiting.pop());) {
      const { status, stdout } = await tidy(toolchain, unit)
      const found = stdout.match(/^\S+?:\d+:\d+: (warning|error): .*\]$/gm) ?? []
      if (status !== 0 && found.length === 0) throw new Error(`clang-tidy exited with ${status}:\n${stdout}`)
      for (const line of found) lines.add(line)
    }
  }))
  return [...lines].map(line => {
    const [, path, number, message, check] = /^(\S+?):(\d+):\d+: \w+: (.*) \[([^\]]*)\]$/.exec(line)
    return { path: path.replace(root, ''), line: Number(number), message, check: check.replace(/,-warnings-as-errors$/, '') }
  })
}

/** Changes what clang-tidy can change by itself: one unit after the other, since they share headers. */
export async function fixFindings(toolchain) {
  await configurePreset(toolchain, preset)
  for (const unit of units()) await tidy(toolchain, '--fix', unit)
}
