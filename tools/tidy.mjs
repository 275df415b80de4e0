// `npm run tidy` applies clang-tidy's automatic fixes to the engine, formats C++, and lists the remaining findings.
import { clangTidyObstacle, findings, fixFindings, tell } from './style/clang-tidy.mjs'
import { clangFormatObstacle, cppFiles, layOutCpp } from './style/clang-format.mjs'
import { openToolchain } from './toolchain/index.mjs'
import { step } from './running/steps.mjs'

try {
  if (process.argv.length > 2) throw new Error(`unexpected argument ${process.argv[2]}`)
  const toolchain = await openToolchain()
  const obstacle = await clangTidyObstacle(toolchain)
  if (obstacle) throw new Error(obstacle)
  await step('fix what clang-tidy can fix', () => fixFindings(toolchain))
  const formatObstacle = await clangFormatObstacle(toolchain)
  if (formatObstacle) console.error(`C++ was not formatted: ${formatObstacle}`)
  else await layOutCpp(toolchain, cppFiles())
  const left = await step('look again', () => findings(toolchain))
  tell(left)
  process.exitCode = left.length > 0 ? 1 : 0
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
