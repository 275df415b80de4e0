// The tarballs as their users install them: text is generated in an empty project, and one that `npm create heed` has made is built.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute } from '../running/execute.mjs'

const program = `
  import { loadModel } from 'heed'
  const model = await loadModel()
  const { text } = await model.generate('Write a story about a fox and a lantern.', { maxTokens: 20, seed: 1 })
  if (!text) throw new Error('no text')
  await model.dispose()`

const install = (project, ...what) => execute('npm', ['install', '--no-audit', '--no-fund', ...what], { cwd: project })

/** Throws if one of the tarballs does not work. */
export async function tryTarballs({ heed, create }) {
  const project = mkdtempSync(join(tmpdir(), 'heed-release-'))
  try {
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(project, 'index.js'), program)
    await install(project, heed, create)
    await execute(process.execPath, ['index.js'], { cwd: project })
    await execute('npm', ['exec', '--offline', '--', 'create-heed', 'app'], { cwd: project })
    const app = join(project, 'app')
    const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
    manifest.dependencies.heed = `file:${heed}` // this version is not published yet
    writeFileSync(join(app, 'package.json'), JSON.stringify(manifest))
    await install(app)
    await execute('npm', ['run', 'build'], { cwd: app })
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}
