// The manual, built once for the tests of a file.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { buildManual } from '../../tools/building/manual.mjs'

/** A folder that has the manual, deep below its root, once the tests run. */
export function builtManual() {
  const root = mkdtempSync(join(tmpdir(), 'heed-manual-'))
  const folder = join(root, 'some', 'where', 'manual')
  before(() => buildManual(folder))
  after(() => rmSync(root, { recursive: true }))
  return { root, folder }
}
