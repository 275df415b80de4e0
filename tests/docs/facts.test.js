// Facts of the manual that the project also has elsewhere: families, error codes, entry points, sizes.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { mostBytesOf } from '../../tools/building/sizes.mjs'
import { writeModel } from '../../tools/bench/models/index.mjs'
import { shapes } from '../../tools/bench/models/shapes.mjs'
import { families, familiesTable, shownFamilies } from '../../tools/docs/families.mjs'
import { cacheBytes, shownTable, sizesTable, weightBytes } from '../../tools/docs/sizes.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { blocksOf, textOf } from '../support/snippets.mjs'

const namesIn = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name).sort()

test('the table of families is what the registry says, and has each architecture once', () => {
  assert.equal(shownFamilies(), familiesTable())
  const names = families().flatMap(family => family.names.map(({ name }) => name))
  assert.deepEqual(names.toSorted(), namesIn(textOf('src/models/registry.cpp'), /^ {4}\{"([\w.-]+)", \w+\},$/gm))
  assert.ok(names.length > 120 && new Set(names).size === names.length)
  assert.ok(families().every(({ names }) => names.length > 0 && names.every(({ file }) => file)))
})

test('each code of HeedError has a section, with what it means and what to do, at the address that errors have', async () => {
  const { HeedError } = await import('heed')
  const source = `${JSON.parse(textOf('package.json')).homepage.replace('#readme', '')}/blob/main`
  const codes = namesIn(textOf('bindings/js/wire/errors.ts').split('export type HeedErrorCode')[1].split('\n\n')[0], /'([\w-]+)'/g)
  const sections = textOf('docs/troubleshooting.md').split(/^## /m).slice(1)
  const byTitle = Object.fromEntries(sections.map(section => [section.slice(0, section.indexOf('\n')), section]))
  for (const code of codes) {
    assert.match(byTitle[code] ?? '', /\*\*Meaning\.\*\*/, code)
    assert.match(byTitle[code], /\*\*What to do\.\*\*/, code)
    assert.equal(new HeedError(code, 'x').help, `${source}/docs/troubleshooting.md#${code}`)
  }
  assert.deepEqual(
    Object.keys(byTitle)
      .filter(title => /^[a-z-]+$/.test(title))
      .sort(),
    codes,
  )
})

test('the import map has every entry point that a page can import, at its file', () => {
  const { exports } = JSON.parse(textOf('package.json'))
  const { source } = blocksOf('docs/recipes/import-map.md').find(({ language }) => language === 'html')
  const { imports } = JSON.parse(/<script type="importmap">(.*?)<\/script>/s.exec(source)[1])
  const fileOf = target => (typeof target === 'string' ? target : fileOf(target.browser ?? target.default))
  const expected = Object.entries(exports)
    .filter(([name]) => !/\.\w+$/.test(name.slice(1)))
    .map(([name, target]) => [`heed${name.slice(1)}`, fileOf(target).replace('./', '/heed/')])
  assert.deepEqual(Object.entries(imports).sort(), expected.sort())
})

test('what parts of the package weigh is at most what the build allows', () => {
  const kilobytes = (...names) => Math.ceil(names.reduce((sum, name) => sum + mostBytesOf[name], 0) / 1000)
  const form = `${kilobytes('heed-constraints.js', 'heed-constraints.wasm')} KB`
  for (const path of ['docs/speed.md', 'docs/guide/structured-output.md'])
    assert.ok(textOf(path).includes(form), `${path}: ${form}`)
  assert.ok(textOf('docs/speed.md').includes(`${kilobytes('heed-store.js')} KB`))
})

test('the table of sizes is current', () => assert.equal(shownTable(), sizesTable()))

test('the package takes as much memory as the table of sizes would say', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-sizes-'))
  try {
    const file = join(folder, 'tiny.gguf')
    writeModel(file, 'tiny', 'q4_0')
    const { loadModel } = await import('heed')
    const model = await loadModel(file, { contextLength: 1024, parallel: 1, threads: 1 })
    const before = (await model.memory()).bytes
    const weights = weightBytes(shapes.tiny, 'q4_0')
    assert.ok(weights < readFileSync(file).length && weights < before && before < weights + 2e6, `${weights} of ${before}`)
    await model.logits(Array.from({ length: 300 }, (_, id) => id))
    assert.equal((await model.memory()).bytes - before, cacheBytes(shapes.tiny, 300))
    await model.dispose()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the README is short, and links to the manual', () => {
  const lines = textOf('README.md').split('\n')
  assert.ok(lines.length <= 180, `${lines.length} lines`)
  assert.match(textOf('README.md'), /\/docs\/README\.md\)/)
  assert.ok(readFileSync(inRoot('docs/images/page.webp')).length < 60_000)
})
