// The manual, built once per test file.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { buildManual } from '../../tools/building/manual.mjs'
import { inRoot } from '../../tools/paths.mjs'

/** A folder that has the manual, deep below its root, once the tests run; with `live`, beside the package's files, as in the page. */
export function builtManual({ live = false } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'heed-manual-'))
  const folder = join(root, 'some', 'where', 'manual')
  before(async () => {
    const assets = join(folder, '../assets')
    mkdirSync(assets, { recursive: true })
    const files = readdirSync(inRoot('dist')).filter(name => live && name.startsWith('heed-'))
    for (const name of files) cpSync(inRoot('dist', name), join(assets, name))
    await buildManual(folder)
  })
  after(() => rmSync(root, { recursive: true }))
  return { root, folder }
}
