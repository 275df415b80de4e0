// Mistakes that nobody should discover only after publishing: uncommitted changes, versions that differ, a version that has been
// published already.
import { readFileSync } from 'node:fs'
import { inRoot, root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'

const readJson = path => JSON.parse(readFileSync(inRoot(path), 'utf8'))
const git = async (...args) => (await execute('git', args, { cwd: root, capture: true })).stdout.trim()

export const { version } = readJson('package.json')
export const tag = `v${version}`

/** Throws if this checkout cannot be released. `tagged`: the commit must have the version's tag; otherwise nothing may have it. */
export async function checkSources({ tagged }) {
  const changes = await git('status', '--porcelain')
  if (changes) throw new Error(`there are uncommitted changes:\n${changes}`)
  if (readJson('create/package.json').version !== version) throw new Error(`create/package.json is not of version ${version}`)
  if (!readFileSync(inRoot('CHANGELOG.md'), 'utf8').includes(`\n## ${version}\n`)) {
    throw new Error(`CHANGELOG.md has no section "## ${version}": rename "Unreleased", or set the version in package.json`)
  }
  if (!tagged) {
    if (await git('tag', '--list', tag)) throw new Error(`${tag} is already released`)
  } else if (!(await git('tag', '--points-at', 'HEAD')).split('\n').includes(tag)) {
    throw new Error(`this commit is not ${tag}: the tag and the version in package.json belong together`)
  }
}
