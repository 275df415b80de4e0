// The `format` suite: each file is a test, which fails if `npm run format` would change its layout.
import { clangFormatObstacle, cppFiles, differingCpp } from '../style/clang-format.mjs'
import { differingWhitespace, otherFiles } from '../style/whitespace.mjs'
import { noTests } from './counts.mjs'

export async function formatTests(toolchain) {
  const counts = { ...noTests }
  const count = (files, differing) => {
    for (const file of differing) console.error(`${file}: not formatted; run \`npm run format\``)
    counts.passed += files.length - differing.size
    counts.failed += differing.size
  }
  const obstacle = await clangFormatObstacle(toolchain)
  if (obstacle) {
    console.log(`SKIPPED: ${obstacle}`)
    counts.skipped++
  } else {
    const files = cppFiles()
    count(files, await differingCpp(toolchain, files))
  }
  const others = otherFiles()
  count(others, differingWhitespace(others))
  return counts
}
