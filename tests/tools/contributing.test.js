// The pages for contributors, and the READMEs of folders: the files and links that they name exist, and pages are short.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

const folders = ['api', 'bindings', 'cmake', 'models', 'src', 'tests', 'tools', 'web']
const files = folders.flatMap(folder => readdirSync(inRoot(folder), { recursive: true }).map(name => posix.join('/', folder, name)))

/** Large folders, which have a README. */
const described = [
  ...['api', 'src', 'tests', 'tools', 'web', 'bindings/embind', 'bindings/js', 'bindings/js/chat', 'bindings/viewer'],
  ...['engine', 'grammar', 'kernels', 'models', 'nn', 'runtime', 'tokenizer'].map(name => `src/${name}`),
].map(folder => `${folder}/README.md`)
const pages = readdirSync(inRoot('docs/contributing')).map(name => `docs/contributing/${name}`)
const all = ['CONTRIBUTING.md', ...pages, ...described]

/** The folder that can be lifted out. */
const lifted = name => name.startsWith('models/training/') && !existsSync(inRoot('models/training'))

for (const page of all) {
  const text = readFileSync(inRoot(page), 'utf8')

  test(`every file that ${page} names exists`, () => {
    const quoted = text.matchAll(/`([\w./-]+\.(?:cpp|hpp|ts|mjs|test\.js|cmake|md))`/g)
    const inCommands = text.matchAll(/\b((?:api|bindings|src|tests|tools|web)\/[\w./-]+\.(?:cpp|hpp|ts|mjs|js))\b/g)
    const named = [...quoted, ...inCommands].map(([, name]) => name)
    const missing = named.filter(
      name => !lifted(name) && !existsSync(inRoot(name)) && !files.some(file => file.endsWith(`/${name}`)),
    )
    assert.deepEqual(missing, [])
  })

  test(`every link of ${page} leads to a file`, () => {
    const links = [...text.replace(/^```.*?^```/gms, '').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) =>
      posix.join(posix.dirname(page), link),
    )
    assert.deepEqual(
      links.filter(link => !existsSync(inRoot(link))),
      [],
    )
  })
}

test('pages for contributors are short', () => {
  const lines = page => readFileSync(inRoot(page), 'utf8').split('\n').length
  assert.ok(pages.length >= 5)
  assert.deepEqual(
    pages.filter(page => lines(page) > 131),
    [],
  )
  assert.ok(lines('CONTRIBUTING.md') <= 31)
})
