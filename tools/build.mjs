// `npm run build` builds the native program, the package and the page; `npm run build -- PART ...` builds only those parts.
import { fileURLToPath } from 'node:url'
import { buildPackage } from './build-package.mjs'
import { buildPreset } from './cmake.mjs'
import { installNpmPackages } from './npm.mjs'
import { inRoot, root } from './paths.mjs'
import { openToolchain } from './toolchain/index.mjs'
import { execute, step } from './toolchain/steps.mjs'

const runNpmProgram = (path, ...args) =>
  execute(process.execPath, [inRoot('node_modules', path), ...args], { cwd: root })

/** Builds build/native-release/heed, which tools/heed runs. */
export const buildNative = toolchain => buildPreset(toolchain, 'native-release', ['heed_cli'])

/** Builds the page in build/page. */
export async function buildPage(toolchain) {
  await buildPackage(toolchain)
  await step('build the page', async () => {
    for (const project of ['web', 'web/offline/worker']) {
      await runNpmProgram('typescript/bin/tsc', '-p', project)
    }
    await runNpmProgram('vite/bin/vite.js', 'build', 'web')
  })
}

const parts = { native: buildNative, package: buildPackage, page: buildPage }

async function main(chosen) {
  const unknown = chosen.filter(name => !(name in parts))
  if (unknown.length > 0) throw new Error(`unknown part ${unknown}; known: ${Object.keys(parts)}`)
  const toolchain = await openToolchain()
  await installNpmPackages()
  for (const name of chosen) await parts[name](toolchain)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const chosen = process.argv.slice(2)
  await main(chosen.length > 0 ? chosen : ['native', 'page']).catch(error => {
    console.error(error.message)
    process.exitCode = 1
  })
}
