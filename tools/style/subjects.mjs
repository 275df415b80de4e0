// Checks the subjects of commits: at most 72 characters, which lists of commits show in full.
import { root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'

const most = 72
/** The last commit with a longer subject; later ones are checked. */
const base = '1dd1df14bfca4b7c04d329330420b519a7c4d1b9'

/**
 * The commits after `since` in the checkout `folder`: {commits, long}, where `long` lists {hash, subject, length}; or {obstacle} if
 * git or the history is missing.
 */
export async function longSubjects(folder = root, since = base) {
  const args = ['log', '--no-merges', '--format=%h %s', `${since}..HEAD`]
  const { status, stdout } = await execute('git', args, { cwd: folder, capture: true, check: false }).catch(() => ({}))
  if (status !== 0) return { obstacle: `subjects of commits are not checked: there is no git here, or no history since ${since}` }
  const commits = stdout.split('\n').filter(Boolean)
  const read = commits.map(line => {
    const [hash] = line.split(' ', 1)
    const subject = line.slice(hash.length + 1)
    return { hash, subject, length: [...subject].length }
  })
  return { commits: read.length, long: read.filter(({ length }) => length > most) }
}

export const inWords = ({ subject, length }) => `${length} characters, more than ${most}: ${subject}`
