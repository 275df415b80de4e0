// What clang-tidy finds in the engine, with the checks of .clang-tidy.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configurePreset } from '../cmake.mjs'
import { inRoot, root } from '../paths.mjs'

const preset = 'native-release'

/** Why there is nothing to be found here, or undefined. */
export async function clangTidyObstacle({ run }) {
  const { stdout } = await run('clang-tidy', ['--version'], { capture: true, check: false }).catch(() => ({ stdout: '' }))
  if (!/version \d+/.test(stdout)) return 'there is no clang-tidy'
}

/** The units that the engine and its program are compiled as; of the kernels' targets one, since they are the same code. */
function units() {
  const commands = JSON.parse(readFileSync(inRoot('build', preset, 'compile_commands.json'), 'utf8'))
  return commands.map(({ file }) => file).filter(file =>
    /\/CMakeFiles\/heed(_cli)?\.dir\/Unity\//.test(file) || file === inRoot('src/kernels/targets/scalar.cpp'))
}

const tidy = (toolchain, ...args) =>
  toolchain.run('clang-tidy', ['--quiet', '-p', inRoot('build', preset), ...args], { cwd: root, capture: true, check: false })

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
