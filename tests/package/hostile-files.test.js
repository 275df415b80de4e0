// Damaged files for the readers of dictionaries and of what a model keeps: each is refused by its name or read, whatever its bytes.
// HEED_FUZZ_RUNS: how many of each reader, instead of two thousand.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { inRoot } from '../../tools/paths.mjs'
import { damager } from '../support/mutations.mjs'
import { dictionaryTensors, safetensors } from '../support/dictionary.mjs'
import { pageModule } from '../support/page_modules.mjs'

const runs = Number(process.env.HEED_FUZZ_RUNS ?? 2000)
const seed = Number(process.env.HEED_FUZZ_SEED ?? 1)

let readers
before(async () => {
  const files = [
    'page/lab/formats/npy.ts',
    'page/lab/formats/safetensors.ts',
    'page/lab/formats/zip.ts',
    'page/lab/features/read-dictionary.ts',
  ]
  const kept = ['worker/kept/answers.ts', 'worker/kept/texts.ts', 'wire/errors.ts']
  const code = await pageModule(...[...files, ...kept].map(name => inRoot('bindings/js', name)))
  readers = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
})

/** Counts what became of damaged files. Any other error than one of `codes` fails. */
async function outcomes(next, read, { codes = ['invalid-file'], most = runs } = {}) {
  let worked = 0
  let refused = 0
  for (let run = 0; run < most; run++) {
    const bytes = next()
    try {
      await read(new Uint8Array(bytes))
      worked++
    } catch (error) {
      if (!codes.includes(error.code) || !error.message)
        throw new Error(`run ${run} of seed ${seed}, ${bytes.toString('base64')}`, { cause: error })
      refused++
    }
  }
  assert.ok(worked > most / 200 && refused > most / 20, `${worked} worked, ${refused} were refused`)
}

function npy(descr, shape, data, order = 'False') {
  const header = readers.npyHeader(descr, shape)
  const text = Buffer.from(header).toString('latin1').replace('False', order.padEnd(5))
  return Buffer.concat([Buffer.from(text, 'latin1'), data])
}

const arrays = () => {
  const data = Buffer.alloc(256, 0x3c)
  return ['<f8', '<f4', '>f4', '<f2', '<i8', '<i4', '<i2', '|i1', '|u1', '|b1'].map(descr =>
    npy(descr, [2, 3], data.subarray(0, 6 * Number(descr.slice(2))), descr === '<f4' ? 'True' : 'False'),
  )
}

const dtypes = [
  '"F32"',
  '"F16"',
  '"BF16"',
  '"I64"',
  '"U8"',
  '"BOOL"',
  '"toString"',
  'null',
  '[]',
  '{}',
  '1e99',
  '-1',
  '"__proto__"',
]

test('arrays of numpy', async () => {
  const words = [
    "'<f4'",
    "'<f8'",
    "'constructor'",
    "'__proto__'",
    "'|O'",
    '(2, 3)',
    '(6,)',
    '()',
    '(99999999999, 9)',
    'True',
    'False',
  ]
  await outcomes(damager(arrays(), seed, words), bytes => {
    const { shape, data } = readers.readNpy(bytes, 'array.npy')
    assert.equal(
      data.length,
      shape.reduce((product, length) => product * length, 1),
    )
  })
})

test('safetensors', async () => {
  const seeds = [
    safetensors(dictionaryTensors(2, 3)),
    safetensors({ 'a.b': [[2], new Float32Array(2)], c: [[], new Float32Array(1)] }),
  ]
  await outcomes(damager(seeds, seed, [...dtypes, '"W_enc"', '"b_dec"', '[2,3]', '[0,24]', '[3]']), bytes => {
    for (const { shape, data } of readers.readSafetensors(bytes, 'a.safetensors').values())
      assert.equal(
        data.length,
        shape.reduce((product, length) => product * length, 1),
      )
  })
})

/** An archive of arrays, each deflated or not. */
function archive(members) {
  const parts = []
  const entries = []
  let at = 0
  for (const [name, data, isDeflated] of members) {
    const packed = isDeflated ? deflateRawSync(data) : data
    const header = Buffer.from(readers.memberHeader(name, data.length, readers.crcOf(data)))
    header.writeUInt16LE(isDeflated ? 8 : 0, 8)
    header.writeUInt32LE(packed.length, 18)
    parts.push(header, packed)
    entries.push({ name, size: data.length, packed: packed.length, sum: readers.crcOf(data), from: at, isDeflated })
    at += header.length + packed.length
  }
  const end = Buffer.from(readers.zipEnd(entries, at))
  let entry = 0
  for (const { name, packed, isDeflated } of entries) {
    end.writeUInt16LE(isDeflated ? 8 : 0, entry + 10)
    end.writeUInt32LE(packed, entry + 20)
    entry += 46 + Buffer.byteLength(name)
  }
  return Buffer.concat([...parts, end])
}

test('archives of numpy', async () => {
  const [double, float] = arrays()
  const seeds = [
    archive([
      ['W_enc.npy', double, false],
      ['b.npy', float, false],
    ]),
    archive([['threshold.npy', float, true]]),
  ]
  const read = async bytes => {
    for (const [name, data] of await readers.readZip(bytes, 'params.npz', 1 << 20))
      if (name.endsWith('.npy')) readers.readNpy(data, name)
  }
  const words = ['PK\x01\x02', 'PK\x05\x06', '\xff\xff\xff\xff', 'W_enc', 'b.npy']
  await outcomes(damager(seeds, seed, words), read, { most: Math.ceil(runs / 4) }) // streams are slow
})

test('configurations of dictionaries', async () => {
  const tensors = new Map(Object.entries(dictionaryTensors(2, 3)).map(([name, [shape, data]]) => [name, { shape, data }]))
  const config = {
    architecture: 'jumprelu',
    d_in: 2,
    d_sae: 3,
    apply_b_dec_to_input: true,
    normalize_activations: 'none',
    k: 2,
    metadata: { hook_name: 'blocks.1.hook_resid_post', hook_name_out: 'blocks.1.hook_mlp_out', hook_head_index: null },
    activation_fn_kwargs: { k: 1 },
  }
  const words = [
    ...dtypes,
    '"jumprelu"',
    '"topk"',
    '"gated"',
    '"transcoder"',
    '"standard"',
    'true',
    'false',
    '"none"',
    'constructor',
  ]
  await outcomes(
    damager([Buffer.from(JSON.stringify(config))], seed, words),
    bytes => {
      let given
      try {
        given = JSON.parse(new TextDecoder().decode(bytes))
      } catch {}
      if (given === null || typeof given !== 'object') throw new readers.HeedError('invalid-file', 'is refused before')
      readers.saelens('cfg.json', given, tensors, {})
    },
    { codes: ['invalid-file', 'unsupported'] },
  )
})

/** A folder in memory, without locks that anybody holds. */
function place() {
  const files = new Map()
  const folder = {
    names: async () => [...files.keys()],
    text: async name => files.get(name)?.toString(),
    size: async name => files.get(name)?.length,
    remove: async name => void files.delete(name),
    open: async name => ({
      write(at, bytes) {
        const old = files.get(name) ?? Buffer.alloc(0)
        const whole = Buffer.alloc(Math.max(old.length, at + bytes.length))
        old.copy(whole)
        whole.set(bytes, at)
        files.set(name, whole)
      },
      flush() {},
      close() {},
    }),
    reader: async name => ({
      read: (at, into) => {
        const part = files.get(name).subarray(at, at + into.length)
        into.set(part)
        return part.length
      },
      close() {},
    }),
  }
  return { files, folder, locks: { tryAcquire: async () => ({ release() {} }) } }
}

test('kept texts', async () => {
  const header = Buffer.alloc(32)
  header.write('heed-txt')
  header.writeUInt32LE(1, 8)
  const saved = Buffer.concat([header, Buffer.from(Int32Array.from({ length: 40 }, (_, i) => i + 3).buffer), Buffer.alloc(24, 1)])
  saved.writeUInt32LE(40, 24)
  saved.writeUInt32LE(40, 28)
  let held = 0
  const engine = {
    info: () => ({ contextLength: 64 }),
    createSession: () => ++held,
    saveSession: () => header,
    freeSession: () => void held--,
    restoreSession(bytes) {
      if (!saved.equals(bytes)) throw new readers.HeedError('invalid-argument', 'session: is damaged')
      return ++held
    },
    sessionTokens: () => Int32Array.from({ length: 40 }, (_, i) => i + 900),
    read: () => ({ reuse: () => 0, delete() {} }),
  }
  const key = readers.keyOf(engine)
  const next = damager([Buffer.concat([Buffer.alloc(8), saved])], seed)
  let restored = 0
  const restore = engine.restoreSession
  engine.restoreSession = bytes => {
    const session = restore(bytes)
    restored++
    return session
  }
  for (let run = 0; run < runs; run++) {
    const { files, folder } = place()
    const bytes = next()
    files.set(`${key}-a.text`, bytes)
    const texts = new readers.KeptTexts(engine, folder, key, 4096, async () => {})
    await texts.restore(Array.from({ length: 41 }, (_, i) => i + 3))
    await texts.save(1)
    assert.equal(held, 0, bytes.toString('base64'))
    assert.ok([...files.values()].reduce((sum, file) => sum + file.length, 0) <= 4096)
  }
  assert.ok(restored > 0 && restored < runs / 2, `${restored}`)
})

test('answers that are being written', async () => {
  const own = place()
  const asked = { prompt: [3, 4, 5], options: { maxTokens: 7, logitBias: [[3, -Infinity]] }, startedAt: 5 }
  const { name, file } = await new readers.KeptAnswers(own, 'k').begin(asked)
  for (const id of [7, 8, 9]) file.token(id)
  const whole = own.files.get(name)
  // Files of writers that knew the hash, with other lines.
  const hash = (text, from) => [...text].reduce((value, letter) => Math.imul(value ^ letter.charCodeAt(0), 0x01000193) >>> 0, from)
  const hashed = lines => {
    let sum = 0x811c9dc5
    return Buffer.from(lines.map(line => `${line} ${((sum = hash(`${line}\n`, sum))).toString(36)}\n`).join(''))
  }
  const [first] = whole.toString().split('\n')
  const call = first.slice(0, first.lastIndexOf(' '))
  const lines = [
    'null',
    '{}',
    '[]',
    '7',
    'not JSON',
    '{"prompt":7,"options":{}}',
    '{"prompt":["a"],"options":{}}',
    '{"prompt":[],"options":null}',
  ]
  const others = [...lines.map(line => [line]), [call, 'x'], [call, '1e999']].map(hashed)
  assert.deepEqual(hashed([call, '7', '8', '9']), whole)
  others.push(Buffer.from(whole.toString().replace(/(\n7 .*\n8) .*\n/, '$1'))) // tokens that run into each other
  const next = damager([whole, hashed([call, '7', '', '8'])], seed, ['"prompt"', '"options"', '[3,4,5]', 'null'])
  let read = 0
  for (let run = 0; run < runs; run++) {
    const { files, ...rest } = place()
    const bytes = others[run] ?? next()
    files.set(`k-${crypto.randomUUID()}-1.answer`, bytes)
    for (const { prompt, options, written } of await new readers.KeptAnswers(rest, 'k').unfinished()) {
      read++
      assert.deepEqual([prompt, options], [asked.prompt, asked.options], bytes.toString())
      assert.deepEqual(written, [7, 8, 9].slice(0, written.length), bytes.toString())
    }
    if (run < others.length - 1) assert.equal(read, 0, bytes.toString())
  }
  assert.ok(read > runs / 10, `${read}`)
})
