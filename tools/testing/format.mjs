// The `format` suite: each file is a test, which fails if `npm run format` would change its layout.
import { say } from '../running/steps.mjs'
import { differingJavaScript } from '../style/biome.mjs'
import { clangFormatObstacle, cppFiles, differingCpp } from '../style/clang-format.mjs'
import { differingWhitespace, otherFiles } from '../style/whitespace.mjs'
import { noTests, sumOf } from './counts.mjs'

const resultOf = (files, differing) => ({
  passed: files - differing.size,
  failed: differing.size,
  skipped: 0,
  failures: [...differing].map(file => ({ name: file, output: 'not formatted; run `npm run format`', failed: 1 })),
})

export async function formatTests(toolchain) {
  const others = otherFiles()
  const javaScript = await differingJavaScript()
  const results = [resultOf(others.length, differingWhitespace(others)), resultOf(javaScript.files, javaScript.differing)]
  const obstacle = await clangFormatObstacle(toolchain)
  if (obstacle) {
    say(`SKIPPED: ${obstacle}`)
    return sumOf([...results, { ...noTests, skipped: 1 }])
  }
  const files = cppFiles()
  return sumOf([...results, resultOf(files.length, await differingCpp(toolchain, files))])
}
