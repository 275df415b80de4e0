// The `lint` suite: each file is a test, which fails if the linter reports anything in it, and each commit, which fails if its subject
// is too long.
import { say } from '../running/steps.mjs'
import { findings } from '../style/biome.mjs'
import { inWords, longSubjects } from '../style/subjects.mjs'
import { noTests, sumOf } from './counts.mjs'
import { resultOfFindings } from './findings.mjs'

export async function lintTests() {
  const { files, found } = await findings()
  const ofFiles = resultOfFindings(
    files,
    found.map(({ rule, ...finding }) => ({ ...finding, check: rule })),
    '`npm run format` fixes some findings and explains the rest',
  )
  return sumOf([ofFiles, await subjectTests()])
}

async function subjectTests() {
  const { obstacle, commits, long } = await longSubjects()
  if (obstacle) {
    say(`SKIPPED: ${obstacle}`)
    return { ...noTests, skipped: 1 }
  }
  const failures = long.map(commit => ({ name: `commit ${commit.hash}`, output: inWords(commit), failed: 1 }))
  return { ...noTests, passed: commits - long.length, failed: long.length, failures }
}
