// The tarballs to publish, Heed's and that of `npm create heed`, in build/release.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setModes } from '../building/modes.mjs'
import { inRoot, root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'

const folder = inRoot('build/release')

/** Packs the package in `source`, which has been built; resolves to the tarball's path. Says how large it is, and its checksum. */
async function pack(source) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, source]
  const { stdout } = await execute('npm', args, { cwd: root, capture: true })
  const [{ filename, size, unpackedSize }] = Object.values(JSON.parse(stdout))
  const tarball = join(folder, filename)
  const kilobytes = bytes => `${Math.round(bytes / 1000)} KB`
  const hash = createHash('sha256').update(readFileSync(tarball)).digest('hex')
  console.log(`${filename}: ${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)}, SHA-256 ${hash}`)
  return tarball
}

/** Packs both; the package has been built. Resolves to {heed, create}, the paths of the tarballs. */
export async function packAll() {
  mkdirSync(folder, { recursive: true })
  setModes('create', ['index.mjs', 'program', 'parts', 'templates'])
  return { heed: await pack(root), create: await pack(inRoot('create')) }
}
