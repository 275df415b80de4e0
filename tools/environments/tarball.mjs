// Our packages as users get them: each packed once by npm, then unpacked where it is used.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inRoot, root } from '../paths.mjs'

const packed = new Map()

/** The path of the tarball of the package in `source`, by default Heed; packs it if it has not been packed yet. */
export function tarballOf(source = root) {
  if (source === root && !existsSync(inRoot('dist/index.js'))) throw new Error('the package is not built: npm run build -- package')
  if (!packed.has(source)) {
    const folder = mkdtempSync(join(tmpdir(), 'heed-tarball-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    // Without scripts, because the suite has already built the package.
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', source], { cwd: folder, stdio: 'pipe' })
    packed.set(source, join(folder, readdirSync(folder)[0]))
  }
  return packed.get(source)
}

/** Unpacks the package of `source` into the folder `to`. */
export function unpack(source, to) {
  mkdirSync(to, { recursive: true })
  execFileSync('tar', ['-xzf', tarballOf(source), '-C', to, '--strip-components=1'])
}

/** Unpacks Heed into a node_modules folder; returns its folder. */
export function unpackHeed(modules) {
  const to = join(modules, 'heed')
  unpack(root, to)
  return to
}
