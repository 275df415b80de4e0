// Emscripten's own libraries (libc, libc++, …), which Debian only has as sources: emcc compiles the ones that a link needs, which
// takes as long as the units of a module. To compile them at the same time as the units, an empty program is linked first.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheFolder } from '../paths.mjs'
import { step } from '../running/steps.mjs'

/** The flags that determine the libraries of a module; from cmake/platform.cmake and cmake/*_module.cmake. */
const exceptions = ['-fwasm-exceptions', '-sWASM_LEGACY_EXCEPTIONS=1']
const ofEngine = [...exceptions, '-pthread', '-lembind']
const ofConstraints = [...exceptions, '-flto', '--no-entry', '-sSTANDALONE_WASM', '-sFILESYSTEM=0', '-sALLOW_MEMORY_GROWTH']
export const sets = {
  relaxed: ['wasm32', ofEngine],
  simd128: ['wasm32', ofEngine],
  memory64: ['wasm64', [...ofEngine, '-m64']],
  constraints: ['wasm32 for constraints', ofConstraints],
}

/** The sets that this process has begun to compile. */
const begun = new Map()

/**
 * Compiles the libraries of the module `name` on `jobs` cores, unless the cache folder has them. This only saves time: the link of
 * the module compiles missing ones, and reports any errors.
 */
export function compileSystemLibraries(toolchain, name, jobs = availableParallelism()) {
  const [set, flags] = sets[name]
  const stamp = join(cacheFolder(), 'emscripten', `${set.replaceAll(' ', '-')}-${toolchain.versions.emcc}.linked`)
  if (toolchain.kind === 'host' || existsSync(stamp)) return
  if (!begun.has(set))
    begun.set(
      set,
      step(`compile Emscripten's libraries: ${set}`, () => link(toolchain, flags, jobs, stamp)),
    )
  return begun.get(set)
}

async function link(toolchain, flags, jobs, stamp) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-libraries-'))
  try {
    writeFileSync(join(folder, 'empty.cpp'), 'int main() {}\n')
    const { status } = await toolchain.run('em++', ['-O1', ...flags, 'empty.cpp', '-o', 'empty.js'], {
      cwd: folder,
      log: join(cacheFolder(), 'setup.log'),
      env: { EMCC_CORES: String(jobs) },
      check: false,
    })
    if (status === 0) writeFileSync(stamp, '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
