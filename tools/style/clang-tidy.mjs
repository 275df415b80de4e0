// Runs clang-tidy on the engine, with the checks of .clang-tidy.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configurePreset } from '../building/cmake.mjs'
import { inRoot, root } from '../paths.mjs'
import { obstacleOf, runWithMessages } from './clang.mjs'

const preset = 'native-release'

/** Why clang-tidy cannot run here, or undefined. */
export const clangTidyObstacle = toolchain => obstacleOf('clang-tidy', toolchain)

/**
 * The engine's translation units. Of the kernel targets, only `scalar`: they share the algorithms, and the few lines for each
 * instruction set are not checked.
 */
function units() {
  const commands = JSON.parse(readFileSync(inRoot('build', preset, 'compile_commands.json'), 'utf8'))
  const files = commands.map(({ file }) => file)
  const unity = files.filter(file => /\/CMakeFiles\/heed\.dir\/Unity\//.test(file))
  if (unity.length === 0) throw new Error(`build/${preset} has no units of the engine to look through`)
  return [...unity, inRoot('src/kernels/targets/scalar.cpp')]
}

/** Whether a file of src/ is part of one of these units. */
export const isLookedAt = path => !/^src\/kernels\/(isa|targets)\/(?!scalar\.|instruction_set\.)/.test(path)

/** Checks one unit; resolves to {status, stdout}. */
function tidy(toolchain, unit, ...options) {
  const headers = `--header-filter=^${inRoot('src').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`
  return runWithMessages('clang-tidy', toolchain, ['--quiet', headers, '-p', inRoot('build', preset), ...options, unit])
}

/** Resolves to all findings without duplicates, {path, line, message, check}; checks `jobs` units at a time. */
export async function findings(toolchain, jobs = availableParallelism()) {
  await configurePreset(toolchain, preset)
  const waiting = units()
  const lines = new Set()
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (let unit; (unit = waiting.pop()); ) {
        const { status, stdout } = await tidy(toolchain, unit)
        const found = stdout.match(/^\S+?:\d+:\d+: (warning|error): .*\]$/gm) ?? []
        if (status !== 0 && found.length === 0) throw new Error(`clang-tidy exited with ${status}:\n${stdout}`)
        for (const line of found) lines.add(line)
      }
    }),
  )
  return [...lines].map(line => {
    const [, path, number, message, check] = /^(\S+?):(\d+):\d+: \w+: (.*) \[([^\]]*)\]$/.exec(line)
    return { path: path.replace(root, ''), line: Number(number), message, check: check.replace(/,-warnings-as-errors$/, '') }
  })
}

/** Prints one line per finding. */
export function tell(found) {
  for (const { path, line, message, check } of found) console.error(`${path}:${line}: ${message} (${check})`)
}

/** Applies clang-tidy's automatic fixes, one unit at a time, since units share headers. */
export async function fixFindings(toolchain) {
  await configurePreset(toolchain, preset)
  for (const unit of units()) await tidy(toolchain, unit, '--fix')
}
