// The commit subjects that `lint` rejects.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { longSubjects } from '../../tools/style/subjects.mjs'

const needsGit = { skip: spawnSync('git', ['--version']).status === 0 ? false : 'there is no git' }

/** Runs `body` in a new folder, with a function that runs git there. */
async function inNewFolder(body) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-subjects-'))
  const options = ['-c', 'user.name=Heed', '-c', 'user.email=heed@localhost', '-c', 'commit.gpgSign=false']
  const git = (...args) => execFileSync('git', [...options, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    await body(folder, git)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a commit since the base has a subject of at most 72 characters', needsGit, () =>
  inNewFolder(async (folder, git) => {
    git('init', '-q')
    const commit = (...paragraphs) => git('commit', '-q', '--allow-empty', ...paragraphs.flatMap(text => ['-m', text]))
    commit('x'.repeat(80))
    const base = git('rev-parse', 'HEAD')
    commit('é'.repeat(72), 'y'.repeat(100))
    assert.deepEqual(await longSubjects(folder, base), { commits: 1, long: [] })
    commit(`one  ${'é'.repeat(68)}`)
    const { commits, long } = await longSubjects(folder, base)
    assert.equal(commits, 2)
    assert.deepEqual(
      long.map(({ hash, ...rest }) => rest),
      [{ subject: `one  ${'é'.repeat(68)}`, length: 73 }],
    )
  }),
)

test('without the history, nothing is checked, which is reported', needsGit, () =>
  inNewFolder(async (folder, git) => {
    assert.match((await longSubjects(folder)).obstacle, /not checked/)
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'All there is')
    assert.match((await longSubjects(folder)).obstacle, /not checked/)
  }),
)
