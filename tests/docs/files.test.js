// Files and commands in the manual: copies are current, sources are valid, and commands exist.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseAst } from 'vite'
import { transformWithOxc } from 'vite'
import { inRoot } from '../../tools/paths.mjs'
import { suites } from '../../tools/testing/suites.mjs'
import { blocksOf, documents } from '../support/snippets.mjs'

const blocks = documents.flatMap(blocksOf)
const description = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))

test('copied code equals the file', () => {
  const copies = blocks.filter(({ from }) => from?.startsWith('examples/'))
  assert.ok(copies.length > 15, `${copies.length}`)
  for (const { from, source, name } of copies) assert.equal(source, readFileSync(inRoot(from), 'utf8'), `${name} is ${from}`)
})

/** Checks that a source in a language is valid. Other languages are tested elsewhere, or are not code. */
const checks = {
  js: parseAst,
  jsx: source => transformWithOxc(source, 'block.jsx'),
  json: JSON.parse,
  ts: source => transformWithOxc(source, 'block.ts'),
}
const elsewhere = ['sh', 'html', 'vue', 'svelte', 'py', '']

test('sources can be read', async () => {
  for (const { language, source, name } of blocks) {
    if (elsewhere.includes(language)) continue
    assert.ok(checks[language], `${name}: the language ${language} has no check`)
    await assert.doesNotReject(async () => checks[language](source), name)
  }
})

test('of frameworks, all that cannot run here is a copy of an example', () => {
  for (const { language, from, name } of blocks)
    if (/^(?:vue|svelte)$/.test(language)) assert.match(from ?? '', /^examples\//, name)
})

/** The characters of a line that a window of 1,200 pixels shows; what is longer has to be scrolled. */
const columns = 88

test('code of the manual fits its column', () => {
  const wide = blocks
    .filter(({ language, from, path }) => path !== 'README.md' && !from && ['ts', 'js', 'jsx', 'html'].includes(language))
    .flatMap(({ source, name }) =>
      source
        .split('\n')
        .filter(line => line.length > columns)
        .map(line => `${name}: ${line}`),
    )
  assert.deepEqual(wide, [])
})

/** The commands of the native program. */
const nativeCommands = readdirSync(inRoot('tools/cli'))
  .filter(name => name.endsWith('.cpp'))
  .flatMap(name => [...readFileSync(inRoot('tools/cli', name), 'utf8').matchAll(/add_subcommand\(\s*"([\w-]+)"/g)])
  .map(([, name]) => name)

/** Packages that the manual installs: ours, and the packages for which Heed has interfaces. */
const installed = [
  'heed',
  ...Object.keys(description.devDependencies),
  '@openai/agents',
  '@assistant-ui/react',
  '@assistant-ui/ai-sdk',
  'langchain',
]
const isInstalled = word => word.startsWith('-') || installed.includes(word.replace(/(?<=.)@.*$/, ''))

const templates = readdirSync(inRoot('create/templates'))
const noTemplate = words => words.find((word, at) => words[at - 1] === '--template' && !templates.includes(word))

/** The reason why a line of a shell cannot run, or undefined. */
function troubleOf(line) {
  const [program, first, ...rest] = line.split(/\s+/)
  if (program === 'npm' && first === 'run') return rest[0] in description.scripts ? undefined : `no script ${rest[0]}`
  if (program === 'npm' && first === 'test') return rest.slice(1).find(suite => !(suite in suites))
  if (program === 'npm' && first === 'install') return rest.find(word => !isInstalled(word))
  if (program === 'npm' && first === 'create') return rest[0] === 'heed@latest' ? noTemplate(rest) : `npm create ${rest[0]}`
  if (program === 'npm') return ['start', 'pack'].includes(first) ? undefined : `npm ${first}`
  if (program === './tools/heed') return nativeCommands.includes(first) ? undefined : `no command ${first}`
  if (program === 'node') return first === '--test' ? undefined : `node ${first}`
  if (['npx', 'echo', 'docker'].includes(program)) return undefined // tests/npx runs the first two
  return `no program ${program}`
}

test('commands exist', () => {
  const lines = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ source }) => source.split('\n'))
    .map(line => line.replace(/(?:^|\s)\s*#.*/, '').trim())
    .filter(Boolean)
    .flatMap(line => line.split(/ && /))
  assert.ok(lines.length > 40, `${lines.length}`)
  assert.deepEqual(
    lines.filter(line => troubleOf(line)).map(line => `${line}: ${troubleOf(line)}`),
    [],
  )
})
