// The extra module: what few models and calls need is not in the engine's module, and is read when something asks for it.
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { loadModel } from 'heed'
import { inRoot } from '../../tools/paths.mjs'
import { goldenFile } from '../support/golden.mjs'
import { forcing, modules, rejectsWith, withModel } from './support.mjs'

/** Calls body(options, put, remove) with the extra module in a file of its own, which is absent at first. */
async function withOwnFile(name, threads, body) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-extra-'))
  const file = `heed-${name}-extra.wasm`
  const path = join(folder, file)
  const put = (from = file) => copyFileSync(inRoot('dist', from), path)
  try {
    const assets = { [file]: pathToFileURL(path) }
    await body({ ...forcing(name), threads, assets }, put, () => rmSync(path), new RegExp(file), folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The glue of a module, whose threads write into a log that they have begun, and what they compile. */
const tellingGlue = (name, log) => `
  import { appendFileSync } from 'node:fs'
  if (globalThis.name === 'em-pthread') {
    const tell = what => appendFileSync(${JSON.stringify(log)}, what + ' ')
    tell('begun')
    const { Module, compile } = WebAssembly
    WebAssembly.Module = function (bytes) {
      tell('compiled')
      return new Module(bytes)
    }
    WebAssembly.compile = bytes => {
      tell('compiled')
      return compile(bytes)
    }
  }
  ${readFileSync(inRoot(`dist/heed-${name}.js`), 'utf8')}`

for (const name of modules) {
  describe(name, () => {
    test('text, chat, sessions, attention and forms of the bundled model do not need it', () =>
      withOwnFile(name, 2, options =>
        withModel(undefined, options, async model => {
          assert.equal((await model.generate('The fox', { maxTokens: 3, stopAtEnd: false })).tokens.length, 3)
          assert.match((await model.chat([{ role: 'user', content: 'Who is the fox?' }], { maxTokens: 4 })).text, /\w/)
          assert.equal((await model.attention('The fox', { layers: [0] })).weights.length, 1)
          const attended = await model.generate('The fox', { maxTokens: 2, stopAtEnd: false, attention: { layers: [1] } })
          assert.equal(attended.tokens.length, 2)
          assert.equal((await model.generate('A fox is', { choices: [' red', ' blue'] })).finishReason, 'stop')
          assert.ok((await model.logits('The fox')).length > 0)
          const session = await model.session()
          await session.generate('Once', { maxTokens: 4, stopAtEnd: false })
          assert.deepEqual((await model.restore(await session.save())).tokens, session.tokens)
          assert.ok((await model.memory()).bytes > 0)
        }),
      ))

    test('while it is absent, what needs it fails with an error that names it, and all else works', () =>
      withOwnFile(name, 2, async (options, put, remove, file) => {
        await rejectsWith('io', file, loadModel(goldenFile('bert'), options))
        await withModel(undefined, options, async model => {
          const score = () => model.score('Once upon a time')
          await rejectsWith('io', file, score())
          await rejectsWith('io', file, model.trace('The fox', { points: ['resid.0'] }))
          await rejectsWith('io', file, model.embed(['The fox']))
          await rejectsWith('io', file, model.generate('The fox', { edits: [{ head: [0, 1], scale: 0 }] }))
          assert.equal((await model.generate('The fox', { maxTokens: 3, stopAtEnd: false })).tokens.length, 3)
          put('heed-constraints.wasm')
          await rejectsWith('network', file, score())
          put()
          const { tokens } = await score()
          assert.ok(tokens.length > 0, 'the next call tries again')
          remove()
          assert.deepEqual((await score()).tokens, tokens, 'it is read once')
        })
        // Later models have it from the first.
        await withModel(goldenFile('bert'), options, async model => assert.equal((await model.embed([[1, 2, 3]])).length, 1))
      }))

    test('it is compiled once, and not again in each thread', () =>
      withOwnFile(name, 3, async (options, put, _remove, _file, folder) => {
        put()
        const [glue, log] = ['glue.mjs', 'log'].map(file => join(folder, file))
        writeFileSync(glue, tellingGlue(name, log))
        const assets = { ...options.assets, [`heed-${name}.js`]: pathToFileURL(glue) }
        await withModel(goldenFile('deepseek2-lite'), { ...options, assets }, async model => {
          assert.equal(model.info.threads, 3)
          assert.ok((await model.logits([1, 2, 3, 4, 5, 6, 7, 8])).length > 0)
          assert.ok((await model.score([1, 2, 3])).tokens.length > 0)
        })
        assert.equal(readFileSync(log, 'utf8'), 'begun begun ')
      }))

    test('threads have it, too, whether it comes with the model or while they run', () =>
      withOwnFile(name, 3, async (options, put) => {
        put()
        const bits = async (file, threads) =>
          withModel(goldenFile(file), { ...options, threads }, model => model.logits([1, 2, 3, 4, 5, 6, 7, 8]))
        for (const file of ['deepseek2-lite', 'olmoe']) assert.deepEqual(await bits(file, 3), await bits(file, 1), file)
        const scored = threads =>
          withModel(undefined, { ...options, threads }, async model => {
            await model.generate('Once upon', { maxTokens: 8, stopAtEnd: false }) // starts the threads
            return model.generate('The fox', { maxTokens: 8, temperature: 0, edits: [{ head: [1, 0], scale: 0 }] })
          })
        assert.deepEqual((await scored(3)).tokens, (await scored(1)).tokens)
      }))
  })
}
