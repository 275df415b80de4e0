// `npm run build`: the native program, the package and the page; `npm run build -- PART ...` builds only those.
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildPreset } from './cmake.mjs'
import { installNpmPackages } from './npm.mjs'
import { inRoot, root } from './paths.mjs'
import { openToolchain } from './toolchain/index.mjs'
import { execute, step } from './toolchain/steps.mjs'

const modules = ['simd128', 'relaxed']

const runNpmProgram = (path, ...args) => execute(process.execPath, [inRoot('node_modules', path), ...args], { cwd: root })

/** build/native-release/heed, which tools/heed starts. */
export const buildNative = toolchain => buildPreset(toolchain, 'native-release', ['heed_cli'])

/** The npm package, in dist/. */
export async function buildPackage(toolchain) {
  for (const simd of modules) await buildPreset(toolchain, `wasm-${simd}`, ['heed_module'])
  await step('build the package', async () => {
    await runNpmProgram('typescript/bin/tsc', '-p', 'bindings/js')
    mkdirSync(inRoot('dist/node'), { recursive: true })
    for (const simd of modules) {
      const made = inRoot('build', `wasm-${simd}`, 'module')
      for (const name of [`heed-${simd}.js`, `heed-${simd}.wasm`]) cpSync(`${made}/${name}`, inRoot('dist', name))
      cpSync(`${made}/node/heed-${simd}.js`, inRoot(`dist/node/heed-${simd}.js`))
    }
  })
}

/** The page, in build/page. */
export async function buildPage(toolchain) {
  await buildPackage(toolchain)
  await step('build the page', () => runNpmProgram('vite/bin/vite.js', 'build', 'web'))
}

/** What a page downloads: all JavaScript of the package but Node's, and one wasm module. */
function printSizes() {
  const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} KB`
  const files = readdirSync(inRoot('dist')).filter(name => /\.(js|wasm)$/.test(name) && !name.includes('node'))
  const zipped = Object.fromEntries(files.map(name => [name, gzipSync(readFileSync(inRoot('dist', name)), { level: 9 }).length]))
  for (const simd of modules) {
    const others = modules.filter(name => name !== simd)
    const loaded = files.filter(name => !others.some(other => name.startsWith(`heed-${other}.`)))
    const total = loaded.reduce((sum, name) => sum + zipped[name], 0)
    const wasm = zipped[`heed-${simd}.wasm`]
    console.log(`size, gzipped, ${simd}: ${kilobytes(total)} (wasm ${kilobytes(wasm)}, JavaScript ${kilobytes(total - wasm)})`)
  }
}

const parts = { native: buildNative, package: buildPackage, page: buildPage }

async function main(chosen) {
  const unknown = chosen.filter(name => !(name in parts))
  if (unknown.length > 0) throw new Error(`unknown part ${unknown.join(', ')}; there are: ${Object.keys(parts).join(', ')}`)
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
