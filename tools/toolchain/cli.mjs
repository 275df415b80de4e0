// For developers: `node tools/toolchain/cli.mjs exec -- COMMAND ...` runs a program of the toolchain in the current folder;
// `... info` describes the toolchain.
import { cacheFolder } from '../paths.mjs'
import { openToolchain } from './index.mjs'

const usage = 'usage: node tools/toolchain/cli.mjs (info | exec -- COMMAND [ARGUMENT ...])'
const [action, separator, command, ...args] = process.argv.slice(2)

try {
  if (action === 'info' && !separator) {
    const { kind, versions } = await openToolchain()
    console.log(JSON.stringify({ kind, cache: cacheFolder(), versions }, null, 2))
  } else if (action === 'exec' && separator === '--' && command) {
    const { run } = await openToolchain()
    const { status } = await run(command, args, { check: false })
    process.exitCode = typeof status === 'number' ? status : 1
  } else {
    console.error(usage)
    process.exitCode = 2
  }
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
