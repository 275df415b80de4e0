// Builds the npm package in dist/: both wasm modules with their glue, bindings/js, the viewer, and the default model.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { buildPreset } from './cmake.mjs'
import { inRoot, root } from './paths.mjs'
import { execute, step } from './toolchain/steps.mjs'

const modules = ['simd128', 'relaxed']
const mostBytes = 225_000  // of what a page downloads, gzipped

export async function buildPackage(toolchain) {
  for (const simd of modules) await buildPreset(toolchain, `wasm-${simd}`, ['heed_module'])
  await step('build the package', async () => {
    rmSync(inRoot('dist'), { recursive: true, force: true })
    mkdirSync(inRoot('dist/node'), { recursive: true })
    const compiler = [inRoot('node_modules/typescript/bin/tsc'), '-p', 'bindings/js']
    const compile = (...options) => execute(process.execPath, [...compiler, ...options], { cwd: root })
    await compile('--declaration', 'false', '--removeComments')
    await compile('--emitDeclarationOnly')
    await buildViewer()
    for (const simd of modules) {
      const made = inRoot('build', `wasm-${simd}`, 'module')
      for (const name of [`heed-${simd}.js`, `heed-${simd}.wasm`, `node/heed-${simd}.js`]) {
        cpSync(`${made}/${name}`, inRoot('dist', name))
      }
    }
    cpSync(inRoot('models/heed-stories.gguf'), inRoot('dist/heed-stories.gguf'))
    const { minifySync } = await import('vite')  // there once npm's packages are
    for (const name of readdirSync(inRoot('dist'), { recursive: true })) {
      if (name.endsWith('.js')) minifyFile(inRoot('dist', name), minifySync)
    }
  })
  for (const simd of modules) checkSize(simd)
}

/** dist/viewer.js, the export heed/viewer: one file, with its style in it, and its types. */
async function buildViewer() {
  const run = (program, ...args) => execute(process.execPath, [inRoot('node_modules', program), ...args], { cwd: root })
  await run('typescript/bin/tsc', '-p', 'bindings/viewer')
  await run('vite/bin/vite.js', 'build', 'bindings/viewer')
}

/** Most of the JavaScript is Emscripten's, which nobody reads; pages without a bundler load it as it is. */
function minifyFile(path, minifySync) {
  const { code, errors } = minifySync(path, readFileSync(path, 'utf8'), { module: true, compress: true, mangle: true })
  if (errors?.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  writeFileSync(path, code)
}

/** Prints what a page downloads, gzipped: the JavaScript of the package, and one wasm module. */
function checkSize(simd) {
  const downloads = readdirSync(inRoot('dist')).filter(name => /\.(js|wasm)$/.test(name)
    && !name.includes('node') && name !== 'viewer.js' && modules.every(other => other === simd || !name.includes(other)))
  const zippedBytes = extension => downloads.filter(name => name.endsWith(extension))
    .reduce((sum, name) => sum + gzipSync(readFileSync(inRoot('dist', name)), { level: 9 }).length, 0)
  const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} KB`
  const script = zippedBytes('.js')
  const wasm = zippedBytes('.wasm')
  const total = script + wasm
  const parts = `JavaScript ${kilobytes(script)}, wasm ${kilobytes(wasm)}`
  console.log(`  gzipped, with ${simd}: ${kilobytes(total)} (${parts})`)
  if (total > mostBytes) throw new Error(`the package with ${simd} is over ${kilobytes(mostBytes)}, gzipped`)
}
