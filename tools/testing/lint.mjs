// The `lint` suite: each file is a test, which fails if the linter reports anything in it.
import { findings } from '../style/biome.mjs'
import { resultOfFindings } from './findings.mjs'

export async function lintTests() {
  const { files, found } = await findings()
  return resultOfFindings(
    files,
    found.map(({ rule, ...finding }) => ({ ...finding, check: rule })),
    '`npm run format` fixes some findings and explains the rest',
  )
}
