// The WebAssembly modules, those of the engine with Emscripten's glue, in build/modules. A module that any clone has built from the same sources with the
// same toolchain is taken from the cache folder.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder, inRoot } from '../paths.mjs'
import { keepNewest, sweep } from '../running/leftovers.mjs'
import { buildPreset } from './cmake.mjs'
import { recordRuntimeLicenses } from './runtime-licenses.mjs'
import { compileSystemLibraries } from './system-libraries.mjs'

/** In the order in which most browsers need them. */
export const allModuleNames = ['relaxed', 'constraints', 'simd128', 'memory64']
/** Whether it is one of the engine's modules. */
export const hasGlue = name => name !== 'constraints'
export const moduleNames = allModuleNames.filter(hasGlue)

const mostKept = 24
/** The sources that determine the bits of a module, besides the toolchain. */
const sources = ['CMakeLists.txt', 'CMakePresets.json', 'cmake', 'src', 'bindings/embind', 'bindings/constraints']

export const glueOf = name => inRoot('build/modules', `heed-${name}.js`)
/** The names of its WebAssembly files. */
export const wasmFilesOf = name => [`heed-${name}.wasm`, ...(hasGlue(name) ? [`heed-${name}-extra.wasm`] : [])]
export const wasmOf = file => inRoot('build/modules', file)

/** The files of a folder, except its READMEs, or the file itself, in a fixed order. */
const filesOf = path =>
  statSync(inRoot(path)).isFile()
    ? [path]
    : readdirSync(inRoot(path), { recursive: true })
        .map(name => join(path, name))
        .filter(file => !file.endsWith('.md') && statSync(inRoot(file)).isFile())
        .sort()

/** A hash of the modules' sources and of those in `more`, for use in file names. */
export function sourceHash(more = []) {
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const hash = createHash('sha256').update(version)
  for (const file of [...sources, ...more].flatMap(filesOf)) hash.update(`\0${file}\0`).update(readFileSync(inRoot(file)))
  return hash.digest('hex').slice(0, 16)
}

/** The cache folder of a module that a clone has built. */
function placeOf({ kind, versions: { cmake, emcc } }, name) {
  const hash = createHash('sha256').update(JSON.stringify([kind, cmake, emcc, name, sourceHash()]))
  return join(cacheFolder(), 'modules', `${name}-${hash.digest('hex').slice(0, 16)}`)
}

/** Whether a module is in the cache. */
export const isKept = (toolchain, name) => existsSync(placeOf(toolchain, name))

/** Builds heed-NAME.wasm, and heed-NAME.js if it has glue, in build/modules. */
export async function buildModule(toolchain, name, options) {
  const kept = placeOf(toolchain, name)
  if (!existsSync(kept)) {
    await Promise.all([
      buildPreset(toolchain, `wasm-${name}`, ['heed_module'], options),
      compileSystemLibraries(toolchain, name, options?.jobs),
    ])
    keep(inRoot('build', `wasm-${name}`, 'module'), kept)
  }
  utimesSync(kept, new Date(), new Date())
  mkdirSync(inRoot('build/modules'), { recursive: true })
  for (const file of readdirSync(kept)) cpSync(join(kept, file), inRoot('build/modules', file))
  await recordRuntimeLicenses(toolchain)
}

/** Puts a built module into the cache folder, and removes ones that have not been used for long. */
function keep(built, kept) {
  sweep(dirname(kept))
  const partial = `${kept}.${process.pid}`
  mkdirSync(partial, { recursive: true })
  for (const file of readdirSync(built)) cpSync(join(built, file), join(partial, file))
  rmSync(kept, { recursive: true, force: true })
  renameSync(partial, kept)
  keepNewest(dirname(kept), mostKept)
}
