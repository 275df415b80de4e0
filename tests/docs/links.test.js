// Links of the manual, the README and all documents lead to existing pages, sections and files.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { textOf } from '../support/snippets.mjs'
import { builtManual } from './site.mjs'

const { folder } = builtManual()
const source = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).homepage.replace(/#.*/, '')

const pages = () => readdirSync(folder, { recursive: true }).filter(name => name.endsWith('.html'))
const read = name => readFileSync(join(folder, name), 'utf8')
const attributesOf = (html, name) => [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => value)

/** The reason why an address in this repository leads nowhere, or undefined. */
function troubleInRepository(target) {
  const [, path] = /^\/(?:blob|tree)\/main\/([^#]+)/.exec(target.slice(source.length)) ?? []
  if (path === undefined) return 'no file or folder of main'
  const isLifted = path.startsWith('models/training/') && !existsSync(inRoot('models/training')) // the folder may be removed
  return existsSync(inRoot(path)) || isLifted ? undefined : 'no such file'
}

test('links of the pages lead to pages and their sections, and to files of the repository', () => {
  const all = pages()
  assert.ok(all.length > 100, `${all.length} pages`)
  const ids = new Map(all.map(name => [name, new Set(attributesOf(read(name), 'id'))]))
  const broken = []
  for (const name of all) {
    for (const target of [...attributesOf(read(name), 'href'), ...attributesOf(read(name), 'src')]) {
      const [path, anchor] = target.split('#')
      const file = path === '' ? name : relative(folder, resolve(folder, dirname(name), path)).replaceAll('\\', '/')
      const trouble = /^https?:/.test(target)
        ? target.startsWith(`${source}/`) && troubleInRepository(target)
        : file !== '../index.html' && // the page itself, beside the manual
          !(file.startsWith('../tiny/') && existsSync(inRoot('models', file.slice('../'.length)))) && // its models
          (!existsSync(join(folder, file))
            ? 'no such page'
            : anchor && ids.get(file) && !ids.get(file).has(anchor) && 'no such section')
      if (trouble) broken.push(`${name}: ${target}: ${trouble}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('anchors are those that GitHub makes, so that links hold there, too', () => {
  const page = read('troubleshooting.html')
  for (const anchor of ['out-of-memory', 'when-there-is-no-error']) assert.match(page, new RegExp(`<h2 id="${anchor}"`))
  assert.match(read('apis/ai-sdk.html'), /<h2 id="usechat-without-a-server"/)
})

test('links of the README are whole, and lead to existing files', () => {
  const targets = [...textOf('README.md').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target)
  assert.ok(targets.length > 20)
  const raw = source.replace('github.com', 'raw.githubusercontent.com')
  for (const target of targets) {
    assert.match(target, /^https:/) // this file is also shown on npm's page
    if (target.startsWith(`${source}/`)) assert.equal(troubleInRepository(target), undefined, target)
    if (target.startsWith(raw)) assert.ok(existsSync(inRoot(target.slice(`${raw}/main/`.length))), target)
  }
})

test('no page names an address of its own, or has a script or a style that its policy does not allow by hash', () => {
  for (const name of pages()) {
    const html = read(name)
    assert.doesNotMatch(html, /(?:href|src)="\//, name)
    assert.doesNotMatch(html, /<style|<[^>]*\s(?:style|on\w+)=/, name)
    const inline = [...html.matchAll(/<script>/g)]
    assert.equal(inline.length, 1, name)
    assert.match(html, /script-src 'self' 'sha256-/, name)
  }
})
