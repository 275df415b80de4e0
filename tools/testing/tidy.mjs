// The `tidy` suite: each source file of the engine is a test, which fails if clang-tidy reports anything in it.
import { clangTidyObstacle, findings, isLookedAt, tell } from '../style/clang-tidy.mjs'
import { filesIn } from '../style/files.mjs'
import { step } from '../running/steps.mjs'
import { noTests } from './counts.mjs'

export async function tidyTests(toolchain) {
  const obstacle = await clangTidyObstacle(toolchain)
  if (obstacle) {
    console.log(`SKIPPED: ${obstacle}`)
    return { ...noTests, skipped: 1 }
  }
  const files = filesIn(['src'], ['.cpp', '.hpp']).filter(isLookedAt)
  const found = await step('look through the engine with clang-tidy', () => findings(toolchain))
  tell(found)
  if (found.length > 0) console.error('`npm run tidy` fixes some findings; .clang-tidy says what is looked for')
  const failed = new Set(found.map(({ path }) => path))
  return { passed: files.filter(path => !failed.has(path)).length, failed: failed.size, skipped: 0 }
}
