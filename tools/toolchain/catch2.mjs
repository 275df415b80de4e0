// Compiles Catch2 with emcc, once, with the flags of cmake/platform.cmake, and installs it in the cache folder.
// The source is Debian's source package; if apt cannot fetch it, CMake fetches Catch2 itself.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../paths.mjs'
import { step } from '../running/steps.mjs'

const platform = inRoot('cmake/platform.cmake')
const toolchainFile = inRoot('cmake/emscripten.cmake')

/** The folder of Catch2Config.cmake for wasm with 32- or 64-bit memory, or undefined if there is no source package. */
export async function catch2ForWasm({ bits, folder, log, locked, versions, run }) {
  const key = createHash('sha256').update(readFileSync(platform)).update(versions.emcc).digest('hex')
  const installed = join(folder, `catch2-wasm${bits}-${key.slice(0, 12)}`)
  const config = join(installed, 'lib/cmake/Catch2')
  if (existsSync(config)) return config
  const { stdout } = await run('apt-cache', ['showsrc', 'catch2'], { cwd: '/', capture: true, check: false }).catch(() => ({
    stdout: '',
  }))
  if (!/^Package: catch2$/m.test(stdout)) return undefined
  await locked(async () => {
    if (existsSync(config)) return
    await step(`compile Catch2 for wasm${bits}`, () => compile({ bits, folder, installed, log, run }))
  })
  return config
}

async function compile({ bits, folder, installed, log, run }) {
  const work = join(folder, 'catch2.partial')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(join(work, 'source'), { recursive: true })
  const options = { cwd: work, log }
  await run('apt-get', ['source', '--download-only', '-q', 'catch2'], options)
  const archive = readdirSync(work).find(name => name.includes('.orig.tar.'))
  await run('tar', ['-xf', archive, '-C', 'source', '--strip-components=1'], options)
  await run(
    'cmake',
    [
      '-G',
      'Ninja',
      '-S',
      'source',
      '-B',
      'build',
      '-Wno-dev',
      `-DCMAKE_TOOLCHAIN_FILE=${toolchainFile}`,
      `-DCMAKE_PROJECT_INCLUDE=${platform}`,
      `-DHEED_WASM_MEMORY64=${bits === 64 ? 'ON' : 'OFF'}`,
      '-DCMAKE_BUILD_TYPE=MinSizeRel',
      '-DCMAKE_UNITY_BUILD=ON',
      '-DCMAKE_UNITY_BUILD_BATCH_SIZE=40',
      '-DBUILD_TESTING=OFF',
      '-DCATCH_INSTALL_DOCS=OFF',
      '-DCATCH_INSTALL_EXTRAS=OFF',
      `-DCMAKE_INSTALL_PREFIX=${join(work, 'installed')}`,
      '-DCMAKE_INSTALL_LIBDIR=lib',
    ],
    options,
  )
  await run('cmake', ['--build', 'build'], options)
  await run('cmake', ['--install', 'build'], options)
  rmSync(installed, { recursive: true, force: true })
  renameSync(join(work, 'installed'), installed)
  rmSync(work, { recursive: true, force: true })
}
