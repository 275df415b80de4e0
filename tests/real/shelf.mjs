// The shelf of real material: published work of others, for tests that must not depend on our own ideas. It is fetched by name and
// version from npm's and Debian's registries when a test asks for it, and stays in the cache folder; the repository contains none
// of it. Without a network, the tests that need it are skipped, loudly.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { installed, Unavailable } from '../../tools/environments/install.mjs'
import { cacheFolder } from '../../tools/paths.mjs'
import { withLock } from '../../tools/running/lock.mjs'
import { openToolchain } from '../../tools/toolchain/index.mjs'

const shelf = (...parts) => join(cacheFolder(), 'real', ...parts)

/** The node_modules folder with exactly these packages, {name: version}, and their dependencies. `name` is the folder's name. */
export const fromNpm = (name, dependencies) => {
  const inexact = Object.entries(dependencies).find(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
  if (inexact) throw new Error(`${inexact.join(' ')}: name the version exactly`)
  return installed(`real-${name}`, { dependencies })
}

/** The toolchain with SentencePiece (`spm_train`, `spm_encode`, …) and Python's `sentencepiece` and `tokenizers`: `run(command, args)`. */
export async function tokenizersOfOthers() {
  try {
    return await openToolchain({ real: true })
  } catch (error) {
    throw new Unavailable(`the tokenizers of others cannot be installed: ${error.message}`)
  }
}

/** A folder with the files of Debian packages, unpacked without being installed: `join(folder, 'usr/share/doc/…')`. */
export async function fromDebian(...packages) {
  const missing = packages.filter(name => !existsSync(shelf('debian', name)))
  if (missing.length > 0) {
    const { run, kind } = await tokenizersOfOthers()
    if (kind !== 'debian') throw new Unavailable('Debian packages are fetched with the isolated Debian only')
    await withLock(shelf('lock'), async () => {
      for (const name of missing.filter(name => !existsSync(shelf('debian', name)))) {
        const partial = shelf('debian', `${name}.partial`)
        rmSync(partial, { recursive: true, force: true })
        mkdirSync(partial, { recursive: true })
        const script = '(apt-get download -q "$1" && dpkg-deb -x ./*.deb . && rm ./*.deb) 2>&1'
        const { status, stdout } = await run('sh', ['-c', script, 'sh', name], { cwd: partial, capture: true, check: false })
        if (status !== 0) {
          rmSync(partial, { recursive: true, force: true })
          throw new Unavailable(`${name} cannot be fetched: ${stdout}`)
        }
        renameSync(partial, shelf('debian', name))
      }
    })
  }
  return Object.fromEntries(packages.map(name => [name, shelf('debian', name)]))
}

/**
 * A test that fetches something first: `fetch()` resolves to it, `body(fetched, t)` has it. It is skipped, and says so, if it cannot be
 * had here.
 */
export function realTest(name, fetch, body) {
  test(name, async t => {
    let fetched
    try {
      fetched = await fetch()
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      console.log(`SKIPPED: ${name}: ${error.message}`)
      return t.skip(error.message)
    }
    await body(fetched, t)
  })
}
