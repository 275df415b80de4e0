// Finds or creates the toolchain: the machine's own if it is complete, else an isolated Debian root in the cache folder,
// which other clones use too.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, inRoot, root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'
import { withLock } from '../running/lock.mjs'
import { catch2ForWasm } from './catch2.mjs'
import { debianObstacle, debianRoot } from './debian.mjs'
import { findVersions, shortcomings } from './versions.mjs'

/** Libraries, which CMake can fetch itself, unlike programs. */
const fetchable = /^(xsimd|catch2) /

const setupLog = () => join(cacheFolder(), 'setup.log')
const locked = body => withLock(join(cacheFolder(), 'lock'), body)

const runOnHost = (command, args, { env, ...options } = {}) =>
  execute(command, args, { ...options, env: { ...process.env, ...env } })

/**
 * Resolves to {kind, versions, run, needCatch2}. `kind` is 'host' or 'debian'; `run(command, args, options)` is `execute` in the
 * toolchain, where the project and /tmp have the same paths as outside; `env` adds to the environment. `needCatch2(bits)` resolves
 * once tests can be built for wasm with 32- or 64-bit memory. With `native: false`, the toolchain has only what builds the
 * WebAssembly modules, and is set up sooner; with `arm: true`, also what builds and runs programs for AArch64; with `real:
 * true`, the tokenizers of others that tests compare ours with.
 */
export async function openToolchain({ native = true, arm = false, real = false } = {}) {
  const parts = ['wasm', ...(native ? ['native'] : []), ...(arm ? ['arm'] : []), ...(real ? ['real'] : [])]
  const { versions, missing } = await look(runOnHost, parts)
  const obstacle = missing.length > 0 && debianObstacle()
  if (missing.length > 0 && !obstacle) return openDebian(parts)
  if (missing.every(item => fetchable.test(item))) return withCatch2({ kind: 'host', versions, run: runOnHost })
  throw new Error(
    `The machine lacks ${missing.join(', ')}, and ${obstacle}.\n` + 'Install them (README.md, "Building") or use the Dockerfile.',
  )
}

/** The versions of a toolchain's parts, and what is missing. Stops at the first part that lacks something. */
async function look(run, parts) {
  let versions = {}
  for (const part of parts) {
    versions = { ...versions, ...(await findVersions(run, part)) }
    const missing = shortcomings(versions, part)
    if (missing.length > 0) return { versions, missing }
  }
  return { versions, missing: [] }
}

/** The toolchain with `env` for every program, so that CMake finds Catch2. */
function withCatch2({ kind, versions, run }, env = {}) {
  const runWith = (command, args, options = {}) => run(command, args, { ...options, env: { ...env, ...options.env } })
  const needed = {}
  const needCatch2 = bits =>
    (needed[bits] ??= catch2ForWasm({
      bits,
      folder: cacheFolder(),
      log: setupLog(),
      locked,
      versions,
      run: runWith,
    }).then(folder => {
      if (folder) env[bits === 64 ? 'HEED_WASM64_CATCH2' : 'HEED_WASM_CATCH2'] = folder
    }))
  return { kind, versions, run: runWith, needCatch2 }
}

async function openDebian(parts) {
  const folder = cacheFolder()
  const record = part => join(folder, `versions-${part}.json`)
  const debian = debianRoot(folder, setupLog())
  const folders = [root, inRoot('../shared')].filter(existsSync) // the tests' models are in ../shared
  const run = (command, args, options) => debian.run(command, args, { folders, ...options })
  const env = {
    CC: 'clang',
    CXX: 'clang++',
    EM_CACHE: join(folder, 'emscripten'),
    // Shares compiled code between clones.
    CMAKE_CXX_COMPILER_LAUNCHER: 'ccache',
    CCACHE_DIR: join(folder, 'ccache'),
    CCACHE_BASEDIR: root,
    CCACHE_NOHASHDIR: 'true',
    CCACHE_MAXSIZE: '2G',
    HEED_WARNINGS_AS_ERRORS: 'ON', // the compilers are known, so a new warning is due to our changes
  }
  const ready = () => parts.every(part => debian.ready(part) && existsSync(record(part)))
  if (!ready()) {
    await locked(() =>
      debian.prepare(parts, async () => {
        for (const part of parts) {
          const versions = await findVersions((command, args, options) => run(command, args, { ...options, env }), part)
          const missing = shortcomings(versions, part)
          if (missing.length > 0) throw new Error(`what it has is not enough: Heed needs ${missing.join(', ')}`)
          writeFileSync(record(part), `${JSON.stringify(versions, null, 2)}\n`)
        }
      }),
    )
  }
  const versions = Object.assign({}, ...parts.map(part => JSON.parse(readFileSync(record(part), 'utf8'))))
  return withCatch2({ kind: 'debian', versions, run }, env)
}
