// Catch2 compiled by emcc, once, with the flags of cmake/platform.cmake, and installed in the cache folder.
// The source comes from Debian's source package where apt can fetch it; elsewhere CMake fetches it by itself.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { step } from './steps.mjs'

const cmakeFolder = fileURLToPath(new URL('../../cmake/', import.meta.url))
const platform = join(cmakeFolder, 'platform.cmake')

/** The folder of Catch2Config.cmake for wasm, or undefined where no source package can be fetched. */
export async function catch2ForWasm(folder, versions, run) {
  const key = createHash('sha256').update(readFileSync(platform)).update(versions.emcc).digest('hex').slice(0, 12)
  const installed = join(folder, `catch2-wasm-${key}`)
  const config = join(installed, 'lib/cmake/Catch2')
  if (existsSync(config)) return config

  const work = join(folder, 'catch2.partial')
  const log = join(folder, 'setup.log')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(join(work, 'source'), { recursive: true })
  const fetched = await run('apt-get', ['source', '--download-only', '-q', 'catch2'], { cwd: work, log, check: false })
    .catch(() => ({ status: 'absent' }))
  const archive = readdirSync(work).find(name => name.includes('.orig.tar.'))
  if (fetched.status !== 0 || !archive) return undefined

  await step('compile Catch2 for wasm', async () => {
    await run('tar', ['-xf', archive, '-C', 'source', '--strip-components=1'], { cwd: work, log })
    await run('cmake', ['-G', 'Ninja', '-S', 'source', '-B', 'build', '-Wno-dev',
      `-DCMAKE_TOOLCHAIN_FILE=${join(cmakeFolder, 'emscripten.cmake')}`, `-DCMAKE_PROJECT_INCLUDE=${platform}`,
      '-DCMAKE_BUILD_TYPE=MinSizeRel', '-DCMAKE_UNITY_BUILD=ON', '-DCMAKE_UNITY_BUILD_BATCH_SIZE=40',
      '-DCATCH_INSTALL_DOCS=OFF', '-DCATCH_INSTALL_EXTRAS=OFF', '-DCATCH_DEVELOPMENT_BUILD=OFF', '-DBUILD_TESTING=OFF',
      `-DCMAKE_INSTALL_PREFIX=${join(work, 'installed')}`, '-DCMAKE_INSTALL_LIBDIR=lib'], { cwd: work, log })
    await run('cmake', ['--build', 'build'], { cwd: work, log })
    await run('cmake', ['--install', 'build'], { cwd: work, log })
    rmSync(installed, { recursive: true, force: true })
    renameSync(join(work, 'installed'), installed)
    rmSync(work, { recursive: true, force: true })
  })
  return config
}
