// `npm run build` builds the native program, the package and the page; `npm run build -- PART ...` builds only those parts.
import { buildPreset } from './building/cmake.mjs'
import { installNpmPackages } from './building/npm.mjs'
import { buildPackage } from './building/package.mjs'
import { buildPage } from './building/page.mjs'
import { openToolchain } from './toolchain/index.mjs'

/** Builds build/native-release/heed, which tools/heed runs. */
const buildNative = toolchain => buildPreset(toolchain, 'native-release', ['heed_cli'])

const parts = { native: buildNative, package: buildPackage, page: buildPage }

async function main(chosen) {
  const unknown = chosen.filter(name => !(name in parts))
  if (unknown.length > 0) throw new Error(`unknown part ${unknown}; known: ${Object.keys(parts)}`)
  const [toolchain] = await Promise.all([openToolchain({ native: chosen.includes('native') }), installNpmPackages()])
  for (const name of chosen) await parts[name](toolchain)
}

const chosen = process.argv.slice(2)
await main(chosen.length > 0 ? chosen : ['native', 'page']).catch(error => {
  console.error(error.message)
  process.exitCode = 1
})
