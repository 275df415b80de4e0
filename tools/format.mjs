// `npm run format` formats the project's files and applies the linter's automatic fixes.
import { installNpmPackages } from './building/npm.mjs'
import { fixFindings, layOutJavaScript } from './style/biome.mjs'
import { clangFormatObstacle, cppFiles, layOutCpp } from './style/clang-format.mjs'
import { otherFiles, tidyWhitespace } from './style/whitespace.mjs'
import { openToolchain } from './toolchain/index.mjs'

try {
  if (process.argv.length > 2) throw new Error(`unexpected argument ${process.argv[2]}`)
  const toolchain = await openToolchain()
  await installNpmPackages()
  const obstacle = await clangFormatObstacle(toolchain)
  if (obstacle) console.error(`C++ was not formatted: ${obstacle}`)
  else await layOutCpp(toolchain, cppFiles())
  tidyWhitespace(otherFiles())
  const { status } = await fixFindings()
  await layOutJavaScript()
  process.exitCode = obstacle || status !== 0 ? 1 : 0
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
