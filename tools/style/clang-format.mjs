// The layout of C++: .clang-format's, as one version of clang-format sees it.
import { root } from '../paths.mjs'
import { filesIn } from './files.mjs'

/** Others lay out some lines otherwise. */
const version = 21

export const cppFiles = () => filesIn(['bindings/embind', 'src', 'tests', 'tools'], ['.cpp', '.hpp'])

/** Why files cannot be laid out here, or undefined. */
export async function clangFormatObstacle({ run }) {
  const { stdout } = await run('clang-format', ['--version'], { capture: true, check: false }).catch(() => ({ stdout: '' }))
  const found = /version (\d+)/.exec(stdout)?.[1]
  if (!found) return `there is no clang-format, which lays out C++ (${version} is needed)`
  if (Number(found) !== version) return `clang-format is ${found}, and C++ is laid out by ${version}`
}

/** Lays out the files where they lie. */
export const layOutCpp = ({ run }, files) => run('clang-format', ['-i', ...files], { cwd: root })

/** The files that are laid out otherwise, each once. */
export async function differingCpp({ run }, files) {
  // What it finds it tells on its standard error.
  const command = ['-c', 'exec clang-format --dry-run "$@" 2>&1', 'sh', ...files]
  const { status, stdout } = await run('sh', command, { cwd: root, capture: true, check: false })
  if (status !== 0) throw new Error(`clang-format exited with ${status}:\n${stdout}`)
  return new Set([...stdout.matchAll(/^(\S+?):\d+:\d+: warning: code should be clang-formatted/gm)].map(([, path]) => path))
}
