// The layout of C++: .clang-format's, as one version of clang-format sees it.
import { root } from '../paths.mjs'
import { obstacleOf, runWithMessages } from './clang.mjs'
import { filesIn } from './files.mjs'

export const cppFiles = () => filesIn(['bindings/embind', 'src', 'tests', 'tools'], ['.cpp', '.hpp'])

/** Why files cannot be laid out here, or undefined. */
export const clangFormatObstacle = toolchain => obstacleOf('clang-format', toolchain)

/** Lays out the files where they lie. */
export const layOutCpp = ({ run }, files) => run('clang-format', ['-i', ...files], { cwd: root })

/** The files that are laid out otherwise, each once. */
export async function differingCpp(toolchain, files) {
  const { status, stdout } = await runWithMessages('clang-format', toolchain, ['--dry-run', ...files])
  if (status !== 0) throw new Error(`clang-format exited with ${status}:\n${stdout}`)
  return new Set([...stdout.matchAll(/^(\S+?):\d+:\d+: warning: code should be clang-formatted/gm)].map(([, path]) => path))
}
