// `npm run build` builds the native program, the package and the page; `npm run build -- PART ...` builds only those parts; `npm
// run build -- --times [PRESET ...]` prints the cost of compiling.
import { buildNative } from './building/native.mjs'
import { installNpmPackages } from './building/npm.mjs'
import { buildPackage } from './building/package.mjs'
import { buildPage } from './building/page.mjs'
import { tellTimes } from './building/times.mjs'
import { openToolchain } from './toolchain/index.mjs'

const parts = { native: buildNative, package: buildPackage, page: buildPage }

async function main(given) {
  if (given[0] === '--times') return tellTimes(await openToolchain(), given.slice(1))
  const option = given.find(name => name.startsWith('-'))
  if (option) throw new Error(`unknown option ${option}; known: --times, which must be the first`)
  const chosen = given.length > 0 ? given : ['native', 'page']
  const unknown = chosen.filter(name => !(name in parts))
  if (unknown.length > 0) throw new Error(`unknown part ${unknown}; known: ${Object.keys(parts)}`)
  const [toolchain] = await Promise.all([openToolchain({ native: chosen.includes('native') }), installNpmPackages()])
  for (const name of chosen) await parts[name](toolchain)
}

await main(process.argv.slice(2)).catch(error => {
  console.error(error.message)
  process.exitCode = 1
})
