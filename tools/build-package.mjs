// Builds the npm package in dist/: a script for each entry point of bindings/js, the engine's glue and modules, the viewer,
// types, and the default model.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { buildPreset } from './cmake.mjs'
import { inRoot, root } from './paths.mjs'
import { execute, step } from './toolchain/steps.mjs'

/** The maximum gzipped size of what a page downloads with each module. */
const mostBytes = { simd128: 281_000, relaxed: 285_000, memory64: 295_500 }
const modules = Object.keys(mostBytes)
/** The maximum gzipped sizes of scripts that only some pages download. */
const mostBytesOf = {
  'heed-store.js': 22_000, 'chat.js': 28_000, 'openai.js': 6_000, 'ai-sdk.js': 6_000, 'prompt-api.js': 6_000,
}

/**
 * The modules that a script imports on demand; ./chat.js if it is not listed. in-thread.js imports none, because service
 * workers cannot import anything later.
 */
const fetchedLater = {
  'in-thread.js': [],
  'ai-sdk.js': ['./index.js'], 'ai-sdk.node.js': ['./index.node.js'],
  'prompt-api.js': ['heed'], 'prompt-api.cjs': ['heed'], 'heed-cli.js': ['heed', './chat.js'],
}

const glue = name => inRoot('build', `wasm-${name}`, `module/heed-${name}.js`)

/**
 * The scripts of dist/. Browsers' workers are not modules: they run wherever a bundler or a server puts them, and as copies
 * if the package comes from another origin.
 */
const scripts = [
  { name: 'index.js', entry: 'index.ts', format: 'es' },
  { name: 'in-thread.js', entry: 'in-thread.ts', format: 'es' },
  { name: 'isolation.js', entry: 'isolation.ts', format: 'es' },
  { name: 'chat.js', entry: 'chat.ts', format: 'es' },
  { name: 'chat.cjs', entry: 'chat.ts', format: 'cjs' },
  { name: 'openai.js', entry: 'openai/index.ts', format: 'es' },
  { name: 'openai.cjs', entry: 'openai/index.ts', format: 'cjs' },
  { name: 'ai-sdk.js', entry: 'ai-sdk.ts', format: 'es' },
  { name: 'prompt-api.js', entry: 'prompt-api/index.ts', format: 'es' },
  { name: 'prompt-api.cjs', entry: 'prompt-api/index.ts', format: 'cjs' },
  { name: 'heed-worker.js', entry: 'heed-worker.ts', format: 'iife' },
  { name: 'heed-store.js', entry: 'heed-store.ts', format: 'iife' },
  { name: 'heed-isolation.js', entry: 'heed-isolation.ts', format: 'iife' },
  ...modules.map(name => ({
    name: `heed-${name}.js`, entry: 'heed-glue.ts', format: 'iife', alias: { '#glue/module': glue(name) },
  })),
  { name: 'index.node.js', entry: 'index.node.ts', format: 'es', platform: 'node' },
  { name: 'index.node.cjs', entry: 'index.node.ts', format: 'cjs', platform: 'node' },
  { name: 'ai-sdk.node.js', entry: 'ai-sdk.node.ts', format: 'es', platform: 'node' },
  { name: 'heed-worker.node.js', entry: 'heed-worker.node.ts', format: 'es', platform: 'node' },
  { name: 'heed-thread.node.js', entry: 'heed-thread.node.ts', format: 'es', platform: 'node' },
  { name: 'heed-cli.js', entry: 'cli/main.ts', format: 'es', platform: 'node' },
]

export async function buildPackage(toolchain) {
  for (const name of modules) await buildPreset(toolchain, `wasm-${name}`, ['heed_module'])
  await step('build the package', async () => {
    rmSync(inRoot('dist'), { recursive: true, force: true })
    mkdirSync(inRoot('dist'))
    await writeTypes()
    for (const script of scripts) await bundle(script)
    await buildViewer()
    for (const name of modules) {
      cpSync(inRoot('build', `wasm-${name}`, `module/heed-${name}.wasm`), inRoot(`dist/heed-${name}.wasm`))
    }
    cpSync(inRoot('models/heed-stories.gguf'), inRoot('dist/heed-stories.gguf'))
  })
  for (const name of modules) checkSize(name)
  checkFurtherSizes()
}

/** Checks the types and writes them twice: for `import` and for `require`. */
async function writeTypes() {
  await execute(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-p', 'bindings/js'], { cwd: root })
  const types = inRoot('dist/types')
  rmSync(inRoot('dist/types/cli'), { recursive: true })  // a program: nobody imports it
  cpSync(types, inRoot('dist/types-cjs'), { recursive: true })
  writeFileSync(inRoot('dist/types-cjs/package.json'), '{ "type": "commonjs" }\n')
}

/** Builds dist/viewer.js, which includes its styles, and its types, which refer to the package's types: these must exist. */
async function buildViewer() {
  const run = (program, ...args) => execute(process.execPath, [inRoot('node_modules', program), ...args], { cwd: root })
  await run('typescript/bin/tsc', '-p', 'bindings/viewer')
  await run('vite/bin/vite.js', 'build', 'bindings/viewer')
}

async function bundle({ name, entry, format, platform = 'browser', alias = {} }) {
  const { build } = await import('rolldown')  // not earlier: npm's packages may just have been installed
  await build({
    input: inRoot('bindings/js', entry),
    platform,
    external: fetchedLater[name] ?? ['./chat.js'],
    resolve: {
      extensionAlias: { '.js': ['.ts', '.js'] },
      alias: { ...Object.fromEntries(modules.map(name => [`#glue/${name}`, glue(name)])), ...alias },
    },
    plugins: [unaddressedGlue, plainAddresses],
    onLog(level, log) { if (level === 'warn') throw new Error(`${name}: ${log.message}`) },
    output: { file: inRoot('dist', name), format, minify: true, sourcemap: true, codeSplitting: false, ...format === 'cjs' && required },
  })
}

/** CommonJS scripts load others with `require`: test runners such as Jest support no `import()` in CommonJS. */
const required = { dynamicImportInCjs: false }

/**
 * Emscripten's glue contains URLs of files next to it, for callers that do not pass in the module. All our callers do, and a
 * bundler that saw these URLs would look for the files.
 */
const unaddressedGlue = {
  name: 'unaddressed-glue',
  transform(code, id) {
    if (!modules.some(name => id === glue(name))) return
    return { code: code.replaceAll('import.meta.url', '""'), map: { mappings: '' } }
  },
}

/** The minifier writes strings in backquotes, in which some bundlers do not recognize the URL of a file. */
const plainAddresses = {
  name: 'plain-addresses',
  generateBundle(_, outputs) {
    for (const output of Object.values(outputs)) {
      output.code = output.code
        ?.replace(/new URL\(`([^`$]+)`,import\.meta\.url\)/g, 'new URL("$1",import.meta.url)')
        .replace(/import\(`([^`$]+)`\)/g, 'import("$1")')
        .replace(/require\(["`]\.\/chat\.js["`]\)/, 'require("./chat.cjs")')
    }
  },
}

const zippedBytes = names => names
  .reduce((sum, name) => sum + gzipSync(readFileSync(inRoot('dist', name)), { level: 9 }).length, 0)
const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} KB`

/** Checks and prints the gzipped size of what a page downloads: the main script, the workers' scripts and one wasm module. */
function checkSize(name) {
  const script = zippedBytes(['index.js', 'heed-worker.js', `heed-${name}.js`])
  const wasm = zippedBytes([`heed-${name}.wasm`])
  const total = script + wasm
  const parts = `JavaScript ${kilobytes(script)}, wasm ${kilobytes(wasm)}`
  console.log(`  gzipped, with ${name}: ${kilobytes(total)} (${parts})`)
  if (total > mostBytes[name]) throw new Error(`the package with ${name} is over ${kilobytes(mostBytes[name])}, gzipped`)
}

function checkFurtherSizes() {
  for (const [name, most] of Object.entries(mostBytesOf)) {
    const bytes = zippedBytes([name])
    console.log(`  ${name}, gzipped: ${kilobytes(bytes)}`)
    if (bytes > most) throw new Error(`${name} is over ${kilobytes(most)}, gzipped`)
  }
}
