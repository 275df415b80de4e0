// The `tidy` suite: each source file of the engine is a test, which fails if clang-tidy reports anything in it.
import { say, step } from '../running/steps.mjs'
import { clangTidyObstacle, findings, isLookedAt } from '../style/clang-tidy.mjs'
import { filesIn } from '../style/files.mjs'
import { noTests } from './counts.mjs'
import { resultOfFindings } from './findings.mjs'

/** `jobs` is the number of units to check at a time. */
export async function tidyTests(toolchain, jobs) {
  const obstacle = await clangTidyObstacle(toolchain)
  if (obstacle) {
    say(`SKIPPED: ${obstacle}`)
    return { ...noTests, skipped: 1 }
  }
  const files = filesIn(['src'], ['.cpp', '.hpp']).filter(isLookedAt)
  const found = await step('look through the engine with clang-tidy', () => findings(toolchain, jobs))
  return resultOfFindings(files.length, found, '`npm run tidy` fixes some findings; .clang-tidy says what is looked for')
}
