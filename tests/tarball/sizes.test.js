// The download size of each entry point in a page, which must stay below its limit.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { mostBytesOf } from '../../tools/building/sizes.mjs'
import { inRoot } from '../../tools/paths.mjs'

const { exports } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))

/** The script that an entry point is in a browser. */
function inBrowser(value) {
  if (typeof value === 'string') return value
  return inBrowser(value.browser ?? value.default)
}

const scripts = Object.entries(exports)
  .map(([entry, value]) => ({ entry: entry.replace('.', 'heed'), script: inBrowser(value).replace('./dist/', '') }))
  .filter(({ entry, script }) => script.endsWith('.js') && !/\/heed-(worker|relaxed|simd128|memory64)\.js$/.test(entry)) // of the engine

const kilobytes = bytes => `${(bytes / 1000).toFixed(1)} KB`

test('every entry point has a limit, gzipped, and is below it', t => {
  assert.ok(scripts.length >= 12)
  for (const { entry, script } of scripts) {
    const source = readFileSync(inRoot('dist', script), 'utf8')
    const own = [...source.matchAll(/(?:import|from) ?["'](\.[^"']+)["']/g)].map(([, path]) => path)
    assert.deepEqual(own, [], `${entry} imports other scripts at once, which count, too`)
    const bytes = gzipSync(source, { level: 9 }).length
    t.diagnostic(`${entry}: ${kilobytes(bytes)}, gzipped; at most ${kilobytes(mostBytesOf[script] ?? Number.NaN)}`)
    assert.ok(
      bytes <= mostBytesOf[script],
      `${entry}: ${bytes} bytes, gzipped; the limit is ${mostBytesOf[script]} (tools/building/sizes.mjs)`,
    )
  }
})
