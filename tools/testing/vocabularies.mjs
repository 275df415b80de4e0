// Unpacks the real vocabularies that tests read, from ../shared, which has them compressed, into build/vocabularies.
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { inRoot } from '../paths.mjs'

const packed = inRoot('..', 'shared', 'oracle', 'vocab')
const unpacked = inRoot('build', 'vocabularies')

/** Unpacks the vocabularies that are missing. Does nothing without ../shared: the tests that need it are skipped. */
export function unpackVocabularies() {
  if (!existsSync(packed)) return
  mkdirSync(unpacked, { recursive: true })
  for (const name of readdirSync(packed).filter(name => name.endsWith('.gz'))) {
    const to = join(unpacked, name.slice(0, -'.gz'.length))
    if (existsSync(to)) continue
    writeFileSync(`${to}.part`, gunzipSync(readFileSync(join(packed, name))))
    renameSync(`${to}.part`, to)
  }
}
