// The end of a model: disposal, a crash, or garbage collection.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { loadModel } from 'heed'
import { inRoot } from '../../tools/paths.mjs'
import { trappingGlue } from '../support/trapping_glue.mjs'
import { modules, rejectsWith, withModel } from './support.mjs'

test('dispose rejects pending and later calls, and can be repeated', async () => {
  const model = await loadModel()
  const failing = [
    rejectsWith('disposed', /./, model.generate('Once', { maxTokens: 400, stopAtEnd: false })),
    rejectsWith('disposed', /./, model.tokenize('Once')),
  ]
  await model.dispose()
  await model.dispose()
  await Promise.all(failing)
  await rejectsWith('disposed', /./, model.logits([1]))
  await rejectsWith('disposed', /./, async () => {
    for await (const _ of model.generate('Once')) assert.fail('a token of a model that is gone')
  })
})

/** Runs `body` with a package whose engine fails as trappingGlue says, and options for it. */
async function whereEnginesFail(body) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-trap-'))
  try {
    cpSync(inRoot('dist'), folder, { recursive: true })
    const [simd] = modules
    const glue = join(folder, `heed-${simd}.js`)
    writeFileSync(glue, trappingGlue(readFileSync(glue, 'utf8')))
    await body(await import(join(folder, 'index.node.js')), { simd })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('an error that is no trap ends its own call alone', () =>
  whereEnginesFail(async (failing, options) => {
    const model = await failing.loadModel(undefined, options)
    const session = await model.session()
    const long = model.generate('Once', { maxTokens: 60, stopAtEnd: false })
    await rejectsWith('internal', /undefined/, model.generate('Once', { maxTokens: 14 }))
    await rejectsWith('out-of-memory', /length/, model.generate('Once', { maxTokens: 15 }))
    assert.equal((await long).tokens.length, 60)
    await rejectsWith('internal', /undefined/, model.generate('Once', { maxTokens: 16 }))
    assert.equal((await model.generate('Once', { maxTokens: 3, stopAtEnd: false })).tokens.length, 3)
    await session.append('a fox')
    await model.dispose()
  }))

test('a trap rejects all pending calls, and the next model works', () =>
  whereEnginesFail(async (trapping, options) => {
    const model = await trapping.loadModel(undefined, options)
    const calls = [model.generate('Once', { maxTokens: 13 }), model.tokenize('Once'), model.generate('Once')]
    for (const call of calls) await rejectsWith('crashed', /unreachable/, call)
    await rejectsWith('crashed', /unreachable/, model.tokenize('Once'))
    await model.dispose()
    const next = await trapping.loadModel(undefined, options)
    assert.equal((await next.generate('Once', { maxTokens: 2, stopAtEnd: false })).tokens.length, 2)
    await next.dispose()
  }))

test('dispose ends the threads before the worker that has started them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-ends-'))
  try {
    cpSync(inRoot('dist'), folder, { recursive: true })
    const worker = join(folder, 'heed-worker.node.js'),
      ends = join(folder, 'ends.txt')
    writeFileSync(ends, '')
    writeFileSync(
      worker,
      `import { appendFileSync } from 'node:fs'
      process.on('worker', thread => thread.on('exit', () => appendFileSync(${JSON.stringify(ends)}, 'a thread, ')))
      ${readFileSync(worker, 'utf8')}`,
    )
    const telling = await import(join(folder, 'index.node.js'))
    const model = await telling.loadModel(undefined, { threads: 3 })
    const reading = rejectsWith('disposed', /./, model.logits([...Array(400).keys()], { positions: 'all' }))
    await model.dispose()
    await reading
    assert.equal(readFileSync(ends, 'utf8'), 'a thread, a thread, ')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const script = (body, ...flags) =>
  promisify(execFile)(process.execPath, [...flags, '--input-type=module', '-e', body], { cwd: inRoot(), timeout: 60_000 })

test('an idle model does not keep the process alive', async () => {
  const { stdout } = await script(`
    import { loadModel } from 'heed'
    const model = await loadModel(undefined, { threads: 2 })
    console.log((await model.generate('Once', { maxTokens: 4, stopAtEnd: false })).tokens.length)`)
  assert.equal(stdout, '4\n')
})

test('nor does a worker in which a template has run, or that starts while the model is disposed of', async () => {
  const { stdout } = await script(`
    import { loadModel } from 'heed'
    const messages = [{ role: 'user', content: 'Hi' }]
    const model = await loadModel()
    console.log((await model.chat(messages, { maxTokens: 4 })).finishReason)
    const other = await loadModel()
    const chat = other.chat(messages)
    await other.dispose()
    console.log(await chat.catch(({ code }) => code), await other.chat(messages).catch(({ code }) => code))`)
  assert.equal(stdout, 'length\ndisposed disposed\n')
})

test('an error that only a loop sees is not an unhandled rejection', async () => {
  const { stdout } = await script(`
    import { loadModel } from 'heed'
    const model = await loadModel()
    try {
      for await (const token of model.generate('', { addSpecial: false })) console.log(token)
    } catch (error) {
      console.log(error.code)
    }`)
  assert.equal(stdout, 'invalid-argument\n')
})

test('frees memory: many models one after another', async () => {
  for (let i = 0; i < 20; i++) await withModel(undefined, { threads: 2 }, model => model.tokenize('Once'))
})

test('dispose resolves once the worker and its threads have ended', {
  skip: process.platform !== 'linux' && 'counts by /proc',
}, async () => {
  const { stdout } = await script(`
    import { readdirSync } from 'node:fs'
    import { loadModel } from 'heed'
    const threads = () => readdirSync('/proc/self/task').length
    await (await loadModel(undefined, { threads: 2 })).dispose()   // starts threads that Node keeps
    const before = threads()
    const model = await loadModel(undefined, { threads: 2 })
    await model.tokenize('Once')
    const during = threads()
    await model.dispose()
    const after = threads()
    console.log(during > before, after <= before, during - after >= 2)`) // the worker and its thread; one of Node's own may end, too
  assert.equal(stdout, 'true true true\n')
})

test('an unreachable model is freed, but not while it is busy', {
  skip: process.platform !== 'linux' && 'counts by /proc',
}, async () => {
  const { stdout } = await script(
    `
    import { readdirSync } from 'node:fs'
    import { loadModel } from 'heed'
    const threads = () => readdirSync('/proc/self/task').length
    const pause = () => new Promise(resolve => setTimeout(resolve, 20))
    await (await loadModel(undefined, { threads: 2 })).dispose()
    const before = threads()
    const generations = []
    for (let i = 0; i < 5; i++) generations.push((await loadModel(undefined, { threads: 2 })).generate('Once', { maxTokens: 300, stopAtEnd: false }))
    gc()
    const lengths = new Set((await Promise.all(generations)).map(({ tokens }) => tokens.length))
    while (threads() > before) { gc(); await pause() }
    console.log([...lengths].join())`,
    '--expose-gc',
  )
  assert.equal(stdout, '300\n')
})

test('a call that waits between its passes keeps its model', async () => {
  const { stdout } = await script(
    `
    import { loadModel } from 'heed'
    import { whisperModel } from ${JSON.stringify(inRoot('tests/support/whisper_model.mjs'))}
    Error.stackTraceLimit = 0   // in V8, the frames of a stack that nobody has read keep their objects
    async function* recorded() {
      for (let i = 0; i < 20; i++) {
        gc()
        await new Promise(setImmediate)
        if (i % 5 === 4) yield new Float32Array(8000)
      }
    }
    const begin = async () => (await loadModel(whisperModel({ positions: 50 }))).transcribe({ sampleRate: 16000, data: recorded() }).result
    const { duration, finishReason } = await begin()
    console.log(duration, finishReason)`,
    '--expose-gc',
  )
  assert.equal(stdout, '2 end\n')
})
