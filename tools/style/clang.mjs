// Clang's tools as style uses them: in one version, since others lay out and find otherwise.
import { root } from '../paths.mjs'

const version = 21

/** Why a tool cannot be used here, or undefined. */
export async function obstacleOf(tool, { run }) {
  const { stdout } = await run(tool, ['--version'], { capture: true, check: false }).catch(() => ({ stdout: '' }))
  const found = /version (\d+)/.exec(stdout)?.[1]
  if (!found) return `there is no ${tool} (${version} is needed)`
  if (Number(found) !== version) return `${tool} is ${found}, and ${version} is needed`
}

/** Runs a tool on files; resolves to {status, stdout}, with what it tells on its standard error. */
export const runWithMessages = (tool, { run }, args) =>
  run('sh', ['-c', 'exec "$@" 2>&1', 'sh', tool, ...args], { cwd: root, capture: true, check: false })
