// Runs clang-format and clang-tidy in one fixed version, because other versions format and report differently.
import { root } from '../paths.mjs'

const version = 21

/** Why a tool cannot be used here, or undefined. */
export async function obstacleOf(tool, { run }) {
  const { stdout } = await run(tool, ['--version'], { capture: true, check: false }).catch(() => ({ stdout: '' }))
  const found = /version (\d+)/.exec(stdout)?.[1]
  if (!found) return `there is no ${tool} (${version} is needed)`
  if (Number(found) !== version) return `${tool} is ${found}, and ${version} is needed`
}

/** Runs a tool; resolves to {status, stdout}, with its standard error in stdout. */
export const runWithMessages = (tool, { run }, args) =>
  run('sh', ['-c', 'exec "$@" 2>&1', 'sh', tool, ...args], { cwd: root, capture: true, check: false })
