// The package as users get it: packed once by npm, then unpacked into each project.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inRoot } from '../paths.mjs'

let folder

/** The path of the tarball; packs the built package if it has not been packed yet. */
function tarball() {
  if (!folder) {
    if (!existsSync(inRoot('dist/index.js'))) throw new Error('the package is not built: npm run build -- package')
    folder = mkdtempSync(join(tmpdir(), 'heed-tarball-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    // Without scripts, because the suite has already built the package.
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', inRoot()], { cwd: folder, stdio: 'pipe' })
  }
  return join(
    folder,
    readdirSync(folder).find(name => name.endsWith('.tgz')),
  )
}

/** Unpacks the package into a node_modules folder; returns its folder. */
export function unpackHeed(modules) {
  const to = join(modules, 'heed')
  mkdirSync(to, { recursive: true })
  execFileSync('tar', ['-xzf', tarball(), '-C', to, '--strip-components=1'])
  return to
}
