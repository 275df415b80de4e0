// `npm create heed`: the arguments that the program accepts and rejects, the files that it writes, and one project that is built
// and used.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { tarballOf, unpackHeed } from '../../tools/environments/tarball.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { serve } from '../../tools/serve.mjs'
import { accessFindings, createFolder, createProject, temporaryFolder, watchRequests } from './support.mjs'

const { folder, close } = temporaryFolder()
after(close)
const readJson = path => JSON.parse(readFileSync(path, 'utf8'))
const manifest = readJson(inRoot('package.json'))
const templates = readdirSync(inRoot('create/templates'))

/** Runs the program without a terminal, as `npm create` does in a script. */
const create = (...args) =>
  spawnSync(process.execPath, [join(createFolder, 'index.mjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 30_000,
    env: { ...process.env, npm_config_user_agent: 'npm/11.0.0' },
  })

test('writes every template, with this version of Heed, exact versions and no name of another project', () => {
  for (const template of templates) {
    const { status, stdout, stderr } = create(`new ${template}`, '--template', template)
    assert.equal(status, 0, stderr)
    assert.match(stdout, new RegExp(`cd "new ${template}"\n  npm install\n  npm run `))
    const project = join(folder, `new ${template}`)
    const { name, dependencies, devDependencies } = readJson(join(project, 'package.json'))
    assert.equal(name, `new-${template}`)
    assert.equal(dependencies.heed, manifest.version)
    for (const version of Object.values({ ...dependencies, ...devDependencies })) assert.match(version, /^\d+\.\d+\.\d+$/)
    const files = readdirSync(project, { recursive: true })
    assert.ok(files.includes('.gitignore') && files.includes('README.md'))
    assert.ok(!files.some(file => /template\.json|_gitignore/.test(file)))
  }
})

test('is published with Heed, as the same version', () => {
  assert.equal(readJson(inRoot('create/package.json')).version, manifest.version)
})

test('publint reports no problems', () => {
  const args = [inRoot('node_modules/publint/src/cli.js'), tarballOf(createFolder), '--strict']
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
  assert.match(stdout, /All good/)
  assert.equal(status, 0)
})

test('the versions of tools that projects begin with are those that are tested here', () => {
  for (const [name, version] of Object.entries(readJson(inRoot('create/parts/page/package.json')).devDependencies)) {
    assert.equal(version, readJson(inRoot('node_modules', name, 'package.json')).version, name)
  }
})

for (const [name, args, said] of [
  [
    'an unknown template',
    ['one', '--template', 'chatt'],
    `there is no template "chatt"; there are ${[...new Set(['chat', ...templates])].join(', ')}`,
  ],
  ['an unknown option', ['one', '--tempalte', 'chat'], 'there is no option --tempalte; there are --template NAME (-t), --help'],
  ['an option without its value', ['one', '--template'], '--template'],
  ['two folders', ['one', 'two'], 'one folder is enough, and there are 2: one, two'],
  ['no folder, without a terminal', [], 'no folder is given'],
  ['a folder that is not empty', ['full'], 'full is not empty: it has kept.txt'],
  ['a file', ['full/kept.txt'], 'full/kept.txt is a file'],
]) {
  test(`refuses ${name}, in one line`, () => {
    mkdirSync(join(folder, 'full'), { recursive: true })
    writeFileSync(join(folder, 'full/kept.txt'), '')
    const { status, stdout, stderr } = create(...args)
    assert.equal(status, 1)
    assert.ok(stderr.startsWith('create-heed: ') && stderr.includes(said), stderr)
    assert.equal(stderr.trim().split('\n').length, 1)
    assert.equal(stdout, '')
    assert.deepEqual(readdirSync(join(folder, 'full')), ['kept.txt'])
    assert.ok(!existsSync(join(folder, 'one')))
  })
}

test('a folder with a new repository counts as empty', () => {
  mkdirSync(join(folder, 'cloned/.git'), { recursive: true })
  assert.equal(create('cloned').status, 0)
  assert.ok(existsSync(join(folder, 'cloned/index.html')))
})

test('--help lists the templates, --version is the version', () => {
  const { stdout } = create('--help')
  for (const template of templates) assert.match(stdout, new RegExp(`^  ${template} `, 'm'))
  assert.equal(create('-v').stdout, `${manifest.version}\n`)
})

test('runs once it is installed, with no dependencies', () => {
  const project = join(folder, 'installed')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{}')
  const npm = (...args) => spawnSync('npm', args, { cwd: project, encoding: 'utf8', timeout: 60_000 })
  assert.equal(npm('install', '--offline', '--no-audit', '--no-fund', tarballOf(createFolder)).status, 0)
  assert.deepEqual(readdirSync(join(project, 'node_modules')).sort(), ['.bin', '.package-lock.json', 'create-heed'])
  const { stdout, stderr } = npm('exec', '--offline', '--', 'create-heed', 'app', '--template', 'chat')
  assert.match(stdout, /npm run dev/, stderr)
})

let browser
before(async () => {
  browser = await startChromium({ own: false })
})
after(() => browser?.close())

/** The tools of this checkout in place of an installation, which takes longer; tests/create-templates has real ones. */
function linkTools(project) {
  const modules = join(project, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(inRoot('node_modules'))) symlinkSync(inRoot('node_modules', name), join(modules, name))
  unpackHeed(modules)
}

test('a chat is built, answers, and works without a network', async () => {
  const project = join(folder, 'chat')
  createProject(project, 'chat')
  linkTools(project)
  const built = spawnSync('npm', ['run', 'build'], { cwd: project, encoding: 'utf8', timeout: 120_000 })
  assert.equal(built.status, 0, built.stdout + built.stderr)
  const site = await serve(join(project, 'dist'), { isolated: false })
  try {
    const foreign = watchRequests(browser.context, new URL(site.url).origin)
    const page = await browser.open(site.url)
    const answered = async message => {
      await page.locator('#send:enabled').waitFor({ timeout: 60_000 })
      await page.fill('#message', message)
      await page.keyboard.press('Enter')
      await page.locator('#send:enabled').waitFor({ timeout: 60_000 })
      return page.locator('#log p').last().innerText()
    }
    assert.match(await answered('A fox named Pip lost a lantern near the river. Who lost the lantern?'), /fox|Pip/)
    assert.match(await page.innerText('#status'), /on \d+ threads/, 'the service worker isolates the page')
    assert.deepEqual(await accessFindings(page), [])
    await site.close()
    await page.reload()
    assert.match(await answered('An owl called Ada found a boat. What did Ada find?'), /boat/)
    assert.deepEqual(page.problems, [])
    assert.deepEqual(foreign, [])
    await page.close()
  } finally {
    await site.close()
  }
})
