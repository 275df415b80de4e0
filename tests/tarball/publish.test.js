// The tarball as npm would publish it: its contents, and what package checkers report. Modules that have not been built have stand-ins.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

const manifest = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'heed-tarball-'))
after(() => rmSync(folder, { recursive: true }))

const run = (command, ...args) => spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 120_000 })
const runTool = (path, ...args) => run(process.execPath, inRoot('node_modules', path), ...args)

let tarball
let files

before(() => {
  const { stdout, stderr, status } = run('npm', 'pack', '--ignore-scripts', '--json', inRoot())
  assert.equal(status, 0, stderr)
  const [packed] = Object.values(JSON.parse(stdout))
  tarball = join(folder, packed.filename)
  files = packed.files.map(({ path }) => path)
  mkdirSync(join(folder, 'node_modules'))
  run('tar', '-xzf', tarball)
  cpSync(join(folder, 'package'), join(folder, 'node_modules/heed'), { recursive: true })
})

test('contains the package and nothing else', () => {
  const other = files.filter(path => !/^(dist\/|README\.md$|LICENSE$|package\.json$)/.test(path))
  assert.deepEqual(other, [])
  for (const path of files) assert.doesNotMatch(readFileSync(join(folder, 'package', path), 'latin1'), /\/(work|root)\//, path)
})

/** The file names in a field of the manifest. */
const named = value => (typeof value === 'string' ? [value] : Object.values(value).flatMap(named))

test('contains every file that its manifest names', () => {
  const { main, module, types, typesVersions, exports, bin } = manifest
  const paths = named({ main, module, types, typesVersions, exports, bin }).map(path => path.replace('./', ''))
  assert.ok(paths.length > 15)
  assert.deepEqual(
    paths.filter(path => !files.includes(path)),
    [],
  )
})

test('names the works of others that it contains, with their licenses', () => {
  const text = readFileSync(join(folder, 'package/dist/THIRD-PARTY.txt'), 'utf8')
  const { bomFormat, components } = JSON.parse(readFileSync(join(folder, 'package/dist/sbom.cdx.json'), 'utf8'))
  assert.equal(bomFormat, 'CycloneDX')
  const maps = files
    .filter(path => /^dist\/[^/]*js\.map$/.test(path))
    .map(path => JSON.parse(readFileSync(join(folder, 'package', path), 'utf8')))
  const bundled = maps
    .flatMap(({ sources }) => sources.map(source => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1]))
    .filter(Boolean)
  assert.ok(bundled.includes('hash-wasm'))
  for (const name of ['Emscripten', 'musl', 'libc++', ...bundled]) {
    assert.ok(
      components.some(component => component.name === name),
      name,
    )
    const [, section] = text.split(
      new RegExp(`^${name.replaceAll('+', '\\+')}\\b.*\n=+\n|^${name.replaceAll('+', '\\+')}\n=+\n`, 'm'),
    )
    assert.match(section?.split(/\n=+\n/)[0] ?? '', /Permission is hereby granted|Apache License|Redistribution/i, name)
  }
})

test('publint reports no problems', () => {
  const { stdout, status } = runTool('publint/src/cli.js', tarball, '--strict')
  assert.match(stdout, /All good/)
  assert.equal(status, 0)
})

test('attw reports no problems', () => {
  // Files to be fetched have no types, and entry points for pages only have no CommonJS version.
  const assets = Object.keys(manifest.exports)
    .filter(path => path.startsWith('./heed-'))
    .map(path => path.slice(2))
  const { stdout, status } = runTool(
    '@arethetypeswrong/cli/dist/index.js',
    tarball,
    '--no-definitely-typed',
    '--exclude-entrypoints',
    ...assets,
    '--ignore-rules',
    'cjs-resolves-to-esm',
  )
  assert.match(stdout, /No problems found/)
  assert.equal(status, 0, stdout)
})

const program = `
  import { HeedError, loadModel, similarity } from 'heed'
  import { loadModel as loadInThread } from 'heed/in-thread'
  import { isolate } from 'heed/isolation'
  import { heedFetch, openai } from 'heed/openai'
  export async function main(): Promise<number> {
    const model = await loadModel('model.gguf', { assets: '/heed/', onProgress: ({ loaded }) => loaded.toFixed() })
    for await (const { text } of model.generate('Once')) text.trim()
    const { choices } = await openai(model).chat.completions.create({ messages: [{ role: 'user', content: 'Hi' }] })
    await heedFetch(model)(choices[0]?.message.content ?? '')
    await model.classify({ width: 1, height: 1, data: new Uint8Array(4) })
    // @ts-expect-error a number is no source
    await loadInThread(5)
    if (!await isolate()) throw new HeedError('unsupported', 'no isolation')
    return similarity([1], [2])
  }`

for (const [module, resolution] of [
  ['ESNext', 'bundler'],
  ['NodeNext', 'nodenext'],
]) {
  test(`the types require neither the DOM library nor Node's: ${resolution}`, () => {
    writeFileSync(join(folder, 'program.ts'), program)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const { stdout, status } = runTool(
      'typescript/bin/tsc',
      '--noEmit',
      '--strict',
      '--target',
      'ES2022',
      '--lib',
      'ES2022',
      '--types',
      '',
      '--module',
      module,
      '--moduleResolution',
      resolution,
      'program.ts',
    )
    assert.equal(stdout, '')
    assert.equal(status, 0)
  })
}

test('has a source map for every script', () => {
  const isStandIn = name => readFileSync(join(folder, 'package/dist', name), 'latin1').includes(`${name} of `)
  const scripts = readdirSync(join(folder, 'package/dist')).filter(name => /\.c?js$/.test(name) && !isStandIn(name))
  assert.ok(scripts.includes('heed-relaxed.js'))
  for (const name of scripts) {
    const map = JSON.parse(readFileSync(join(folder, 'package/dist', `${name}.map`), 'utf8'))
    assert.ok(map.sources.length > 0, name)
  }
})

test('its command runs once installed', () => {
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{}')
  const npm = (...args) => spawnSync('npm', args, { cwd: project, encoding: 'utf8', timeout: 120_000 })
  assert.equal(npm('install', '--offline', '--no-audit', '--no-fund', tarball).status, 0)
  const { stdout, stderr } = npm('exec', '--offline', '--', 'heed', '--version')
  assert.equal(stdout, `heed ${manifest.version}\n`, stderr)
})
