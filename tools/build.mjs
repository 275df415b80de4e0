// `npm run build`: the native program, the package and the page; `npm run build -- PART ...` builds only those.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildPreset } from './cmake.mjs'
import { installNpmPackages } from './npm.mjs'
import { inRoot, root } from './paths.mjs'
import { openToolchain } from './toolchain/index.mjs'
import { execute, step } from './toolchain/steps.mjs'

const modules = ['simd128', 'relaxed']
const defaultModel = 'heed-stories.gguf'

const runNpmProgram = (path, ...args) =>
  execute(process.execPath, [inRoot('node_modules', path), ...args], { cwd: root })

/** build/native-release/heed, which tools/heed starts. */
export const buildNative = toolchain => buildPreset(toolchain, 'native-release', ['heed_cli'])

/** The npm package, in dist/. */
export async function buildPackage(toolchain) {
  for (const simd of modules) await buildPreset(toolchain, `wasm-${simd}`, ['heed_module'])
  await step('build the package', async () => {
    rmSync(inRoot('dist'), { recursive: true, force: true })
    mkdirSync(inRoot('dist/node'), { recursive: true })
    await runNpmProgram('typescript/bin/tsc', '-p', 'bindings/js')
    for (const simd of modules) {
      const made = inRoot('build', `wasm-${simd}`, 'module')
      for (const name of [`heed-${simd}.js`, `heed-${simd}.wasm`]) cpSync(`${made}/${name}`, inRoot('dist', name))
      cpSync(`${made}/node/heed-${simd}.js`, inRoot(`dist/node/heed-${simd}.js`))
    }
    if (existsSync(inRoot('models', defaultModel))) cpSync(inRoot('models', defaultModel), inRoot('dist', defaultModel))
  })
  printSizes()
}

/** Prints what a page downloads: the package's JavaScript but Node's, and one of the wasm modules, gzipped. */
function printSizes() {
  const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} KB`
  const files = readdirSync(inRoot('dist')).filter(name => /\.(js|wasm)$/.test(name) && !name.includes('node'))
  const zippedSize = name => gzipSync(readFileSync(inRoot('dist', name)), { level: 9 }).length
  const sum = names => names.reduce((total, name) => total + zippedSize(name), 0)
  for (const simd of modules) {
    const loaded = files.filter(name => modules.every(other => other === simd || !name.includes(other)))
    const script = sum(loaded.filter(name => name.endsWith('.js')))
    const wasm = sum(loaded.filter(name => name.endsWith('.wasm')))
    const parts = `JavaScript ${kilobytes(script)}, wasm ${kilobytes(wasm)}`
    console.log(`  gzipped, with ${simd}: ${kilobytes(script + wasm)} (${parts})`)
  }
}

/** The page, in build/page. */
export async function buildPage(toolchain) {
  await buildPackage(toolchain)
  await step('build the page', async () => {
    for (const project of ['web', 'web/offline/worker']) await runNpmProgram('typescript/bin/tsc', '-p', project)
    await runNpmProgram('vite/bin/vite.js', 'build', 'web')
  })
}

const parts = { native: buildNative, package: buildPackage, page: buildPage }

async function main(chosen) {
  const unknown = chosen.filter(name => !(name in parts))
  if (unknown.length > 0) throw new Error(`unknown part ${unknown}; there are: ${Object.keys(parts).join(', ')}`)
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
