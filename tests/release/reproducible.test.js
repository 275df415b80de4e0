// The package is the same, bit for bit, wherever it is built: neither the folder, the clock, the language and the user's mask nor the order in
// which files are found makes a difference.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { inRoot, root } from '../../tools/paths.mjs'
import { copyFolder } from '../../tools/running/copy-folder.mjs'

const folder = mkdtempSync(join(tmpdir(), 'heed-reproducible-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const built = new Set(['.git', 'build', 'dist', 'node_modules'])

/** A copy of this checkout as a clean clone has it, with the packages and the modules that are there. */
function clone(to) {
  cpSync(root, to, { recursive: true, filter: path => path === root || !built.has(basename(path)) })
  copyFolder(inRoot('node_modules'), join(to, 'node_modules'))
  cpSync(inRoot('build/modules'), join(to, 'build/modules'), { recursive: true })
  return to
}

function run(cwd, command, args, env) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, ...env },
  })
  assert.equal(status, 0, stdout + stderr)
}

/** Packs the package of a checkout; returns the tarball and its contents. */
function pack(checkout, name) {
  const to = join(folder, name)
  mkdirSync(to)
  run(checkout, 'npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', to])
  const tarball = join(to, readdirSync(to)[0])
  run(to, 'tar', ['-xzf', tarball])
  const files = readdirSync(to, { recursive: true }).filter(path => statSync(join(to, path)).isFile() && !path.endsWith('.tgz'))
  const hashes = files.map(path => [
    path,
    createHash('sha256')
      .update(readFileSync(join(to, path)))
      .digest('hex'),
  ])
  return { tarball, hashes: Object.fromEntries(hashes.sort()) }
}

/** The modules that this checkout's package has, each with what few pages use of it; it has stand-ins for the others. */
const modules = () =>
  readdirSync(inRoot('dist'))
    .map(file => ({ file, name: /^heed-(\w+)\.wasm$/.exec(file)?.[1] }))
    .filter(({ file, name }) => name && readFileSync(inRoot('dist', file)).toString('latin1', 0, 4) === '\0asm')
    .map(({ name }) => name)

test('the package that is built in another folder, by another user elsewhere, is the same', () => {
  const other = clone(join(folder, 'another folder/of other depth'))
  const build = `import('./tools/building/package.mjs').then(({ assemblePackage }) => assemblePackage(${JSON.stringify(modules())}))`
  const mask = process.umask(0o077)
  try {
    for (const name of ['README.md', 'LICENSE', 'package.json']) chmodSync(join(other, name), 0o600)
    run(other, process.execPath, ['-e', build], { TZ: 'Pacific/Chatham', LANG: 'C', LC_ALL: 'C' })
  } finally {
    process.umask(mask)
  }
  const here = pack(root, 'here')
  const there = pack(other, 'there')
  const names = Object.keys({ ...here.hashes, ...there.hashes })
  assert.ok(names.length > 100)
  assert.deepEqual(
    names.filter(name => here.hashes[name] !== there.hashes[name]),
    [],
    'files that differ',
  )
  assert.ok(
    readFileSync(there.tarball).equals(readFileSync(here.tarball)),
    'the files are the same, and their modes, dates or order are not',
  )
})
