// Formats C++ as .clang-format says, with one version of clang-format.
import { root } from '../paths.mjs'
import { obstacleOf, runWithMessages } from './clang.mjs'
import { filesIn } from './files.mjs'

export const cppFiles = () => filesIn(['bindings/embind', 'src', 'tests', 'tools'], ['.cpp', '.hpp'])

/** Why C++ cannot be formatted here, or undefined. */
export const clangFormatObstacle = toolchain => obstacleOf('clang-format', toolchain)

/** Formats the files in place. */
export const layOutCpp = ({ run }, files) => run('clang-format', ['-i', ...files], { cwd: root })

/** The set of files that are not formatted. */
export async function differingCpp(toolchain, files) {
  const { status, stdout } = await runWithMessages('clang-format', toolchain, ['--dry-run', ...files])
  if (status !== 0) throw new Error(`clang-format exited with ${status}:\n${stdout}`)
  return new Set([...stdout.matchAll(/^(\S+?):\d+:\d+: warning: code should be clang-formatted/gm)].map(([, path]) => path))
}
