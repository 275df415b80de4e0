// tools/heed in scripts: stdout, stderr and exit status.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { golden, goldenFile, goldenFloats } from '../support/golden.mjs'

const shared = inRoot('..', 'shared')
const needsShared = { skip: existsSync(shared) ? false : 'there is no ../shared' }
const stories = join(shared, 'models/stories260K.gguf')
const folder = mkdtempSync(join(tmpdir(), 'heed-cli-'))
after(() => rmSync(folder, { recursive: true }))

const heed = (...args) => spawnSync(inRoot('tools/heed'), args, { encoding: 'utf8', input: '' })

/** The standard output of a run that must succeed. */
function output(...args) {
  const { status, stdout, stderr } = heed(...args)
  assert.equal(status, 0, stderr)
  return stdout
}

/** Checks that a run fails with this status and one line on stderr that matches `message`. */
function fails(status, message, ...args) {
  const result = heed(...args)
  assert.equal(result.status, status, `heed ${args.join(' ')}: ${result.stderr}`)
  assert.match(result.stderr, /^heed: [^\n]+\n$/)
  assert.match(result.stderr, message)
  assert.equal(result.stdout, '')
}

test('prints its version', () => {
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  assert.equal(output('--version'), `heed ${version}\n`)
})

test('an error shows characters that change the direction of text as escapes', () => {
  fails(1, /: ?.*a\\u202eb\\u2066c\\u2028d\u200fe\u2025\.gguf/, 'info', join(folder, 'a\u202eb\u2066c\u2028d\u200fe\u2025.gguf'))
})

test('an error shows control characters as escapes: a name may have any', () => {
  fails(1, /a\\x1b\[2J\\x9b31m\\x0d\\x07\\x7f\tb c/, 'info', join(folder, 'a\x1b[2J\x9b31m\r\x07\x7f\tb\nc.gguf'))
})

test('run writes the prompt and its continuation to stdout, statistics to stderr', needsShared, () => {
  const expected = readFileSync(join(shared, 'models/stories260K.txt'), 'utf8')
  for (const more of [[], ['--threads', '1'], ['--target', 'scalar']]) {
    const { status, stdout, stderr } = heed('run', stories, '-p', 'Once upon a time', '-n', '196', '--temperature', '0', ...more)
    assert.equal(status, 0, stderr)
    assert.equal(stdout.slice(0, expected.length), expected)
    assert.match(stderr, /tokens\/s/)
  }
})

test('run applies sampling options; the same seed gives the same text', needsShared, () => {
  const text = (...args) => output('run', stories, '-p', 'Once', ...args)
  const some = (...args) => text('-n', '20', ...args)
  assert.equal(some('--seed', '5'), some('--seed', '5', '--threads', '1'))
  assert.notEqual(some('--seed', '5'), some('--seed', '6'))
  assert.equal(text('--temperature', '0', '--stop', ' time', '--stop', 'zebra'), 'Once upon a')
  assert.equal(text('--temperature', '0', '-n', '0'), 'Once')
  assert.notEqual(some('--temperature', '0', '--repetition-penalty', '3'), some('--temperature', '0'))
})

test('run holds the text to a schema, an expression or a grammar', needsShared, () => {
  const schema = join(folder, 'schema.json'),
    open = join(folder, 'open.json'),
    grammar = join(folder, 'grammar.gbnf')
  writeFileSync(open, JSON.stringify({ type: 'object', properties: { a: { enum: [1, 2] } } }))
  writeFileSync(
    schema,
    JSON.stringify({ type: 'array', items: { type: 'integer', minimum: 0, maximum: 8 }, minItems: 1, maxItems: 2 }),
  )
  writeFileSync(grammar, 'root ::= "cat" | "dog" [a-c]{2}')
  for (const seed of ['1', '2', '3']) {
    const text = (...args) => output('run', stories, '-p', 'Once', '--temperature', '1.5', '-n', '400', '--seed', seed, ...args)
    const numbers = JSON.parse(text('--json-schema', schema))
    assert.ok(
      numbers.length >= 1 && numbers.length <= 2 && numbers.every(n => Number.isInteger(n) && n >= 0 && n <= 8),
      `${numbers}`,
    )
    assert.match(text('--json-schema', schema, '--whitespace', 'compact'), /^\[-?\d(,-?\d)?\]$/)
    assert.doesNotMatch(text('--json-schema', schema), /\s{2}/)
    assert.match(text('--json-schema', open, '--closed', 'true', '--whitespace', 'compact'), /^(\{\}|\{"a":[12]\})$/)
    assert.match(text('--json-schema', open, '--whitespace', 'compact'), /^(\{\}|\{"a":[12]\})$/)
    assert.match(text('--json-schema', schema, '--whitespace', '1'), /^\[\n -?\d(,\n -?\d)?\n\]$/)
    assert.match(text('--regex', '(ab|c){2,4}!'), /^(ab|c){2,4}!$/)
    assert.match(text('--grammar', grammar), /^(cat|dog[a-c]{2})$/)
  }
  const { status, stdout, stderr } = heed('run', stories, '-p', 'Once', '-n', '3', '--regex', 'a{400}')
  assert.equal(status, 1)
  assert.match(stdout, /^a{1,399}$/)
  assert.match(stderr, /finish: length.*\nheed: the text was cut off before it satisfied the constraint\n$/)
})

test('run names the keyword that it cannot enforce', needsShared, () => {
  const run = (...args) => ['run', stories, '-p', 'Once', ...args]
  const schema = join(folder, 'refused.json')
  writeFileSync(schema, '{"type": "object", "properties": {"a": {"$ref": "other.json"}}}')
  fails(1, /--json-schema: .*\$ref at #\/properties\/a/, ...run('--json-schema', schema))
  fails(2, /--whitespace: 11 is not/, ...run('--json-schema', schema, '--whitespace', '11'))
  fails(2, /--whitespace/, ...run('--regex', 'a', '--whitespace', 'compact'))
  fails(2, /--closed/, ...run('--regex', 'a', '--closed', 'true'))
  fails(2, /--closed/, ...run('--json-schema', schema, '--closed', 'perhaps'))
  fails(1, /--regex: /, ...run('--regex', '(?<=a)b'))
  fails(1, /absent\.gbnf: cannot be opened/, ...run('--grammar', join(folder, 'absent.gbnf')))
  fails(2, /--regex.*--grammar|--grammar.*--regex/, ...run('--regex', 'a', '--grammar', schema))
  fails(1, /stop_at_end/, ...run('--regex', 'a', '--ignore-end'))
})

test('hidden writes the residual stream, layer by layer, the same in any batches', needsShared, () => {
  const hidden = (...args) => {
    const file = join(folder, 'hidden.f32')
    assert.equal(output('hidden', stories, '--tokens', '1,403,407,261', '--out', file, ...args), '')
    return readFileSync(file)
  }
  const all = hidden()
  assert.equal(all.length, 7 * 4 * 64 * 4) // the input of five layers, the output of each, and the final norm's output
  assert.ok(all.equals(hidden('--batch', '1', '--threads', '1')))
  const row = (entry, position) => all.subarray((entry * 4 + position) * 256, (entry * 4 + position + 1) * 256)
  assert.ok(hidden('--layers', 'norm,-1', '--positions', '3,0').equals(Buffer.concat([row(6, 3), row(6, 0), row(0, 3), row(0, 0)])))
  const run = (...args) => ['hidden', stories, '--tokens', '1,403', '--out', join(folder, 'hidden.f32'), ...args]
  fails(1, /layers: 5 is out of range: the model has 5/, ...run('--layers', '5'))
  fails(2, /--layers: first is not all, norm or the number of a layer/, ...run('--layers', 'first'))
  fails(1, /positions: 2 is out of range/, ...run('--positions', '2'))
})

test('trace writes values at points, and prints their shapes', needsShared, () => {
  const file = join(folder, 'points.f32')
  const run = points => ['trace', stories, '--tokens', '1,403,407,261', '--points', points, '--out', file]
  const { points } = JSON.parse(output(...run('resid.4,attn.0.weights,embed')))
  assert.deepEqual(
    points.map(({ name }) => name),
    ['resid.4', 'attn.0.weights', 'embed'],
  )
  const sizes = points.map(({ shape }) => shape.reduce((product, length) => product * length))
  const bytes = readFileSync(file)
  assert.equal(bytes.length, 4 * sizes.reduce((sum, size) => sum + size))
  const states = join(folder, 'hidden.f32')
  output('hidden', stories, '--tokens', '1,403,407,261', '--layers', '4', '--out', states)
  assert.ok(bytes.subarray(0, 4 * sizes[0]).equals(readFileSync(states)))
  fails(1, /points: resid\.9 is not there: the layers with it are 0, 1, 2, 3, 4/, ...run('resid.9'))
})

test('lens prints each layer’s prediction', needsShared, () => {
  const text = ['--tokens', '1,403,407', '--positions', '2']
  const { layers } = JSON.parse(output('lens', stories, ...text, '--top', '3', '--watch', '7,261'))
  assert.deepEqual(
    layers.map(({ layer }) => layer),
    [-1, 0, 1, 2, 3, 4],
  )
  for (const { top, logprob, watch } of layers) {
    assert.deepEqual([top[0].length, logprob[0].length, watch[0].length], [3, 3, 2])
    assert.ok(logprob[0][0] >= logprob[0][1] && logprob[0].concat(watch[0]).every(x => x <= 0))
  }
  fails(1, /token 512 is not in the vocabulary/, 'lens', stories, ...text, '--watch', '512')
})

test('score prints the log-probability of each token', needsShared, () => {
  const score = (...args) => JSON.parse(output('score', stories, '--tokens', '1,403,407,261,378', ...args))
  const { logprob, sum, mean, perplexity } = score()
  assert.equal(logprob[0], null)
  assert.equal(logprob.length, 5)
  const add = numbers => numbers.reduce((a, b) => a + b)
  assert.ok(Math.abs(sum - add(logprob.slice(1))) < 1e-6)
  assert.ok(Math.abs(mean - sum / 4) < 1e-6 && Math.abs(Math.log(perplexity) + mean) < 1e-6)
  assert.deepEqual(score('--batch', '1'), { logprob, sum, mean, perplexity })
  assert.ok(Math.abs(score('--from', '3').sum - add(logprob.slice(3))) < 1e-6)
  assert.deepEqual(JSON.parse(output('score', stories, '--tokens', '1')), { logprob: [null], sum: 0, mean: null, perplexity: null })
})

test('logits writes T x V floats, the same for any number of threads and batch size', needsShared, () => {
  const logits = (...args) => {
    const file = join(folder, 'logits.f32')
    assert.equal(output('logits', stories, '--tokens', '1,403,407,261,378', '--out', file, ...args), '')
    return readFileSync(file)
  }
  const all = logits()
  assert.equal(all.length, 5 * 512 * 4)
  assert.ok(all.equals(logits('--threads', '1', '--batch', '1')))
  assert.ok(all.equals(logits('--target', 'scalar', '--batch', '2')))
  assert.ok(all.equals(logits('--kv', 'f32')))
  assert.ok(!all.equals(logits('--kv', 'q4')))
})

test('adapters and control vectors change a text from their first token on', needsShared, () => {
  const lab = join(shared, 'lab'),
    model = join(shared, 'oracle/models/llama-gqa.gguf')
  const adapter = join(lab, 'lora/llama-gqa.a.gguf'),
    vector = join(lab, 'cvec/llama-gqa.a.gguf')
  const logits = (...args) => {
    const file = join(folder, 'changed.f32')
    output('logits', model, '--tokens', '1,2,3,4', '--out', file, ...args)
    return readFileSync(file)
  }
  const plain = logits(),
    adapted = logits('--lora', adapter)
  assert.ok(logits('--lora', `${adapter}:0`).equals(plain))
  assert.ok(logits('--lora', `${adapter}:0.5`, '--lora', `${adapter}:0.5`).length === plain.length)
  assert.ok(!adapted.equals(plain))
  const late = logits('--lora', `${adapter}:1@2-`),
    row = plain.length / 4
  assert.ok(late.subarray(0, 2 * row).equals(plain.subarray(0, 2 * row)))
  assert.ok(!late.subarray(2 * row).equals(adapted.subarray(2 * row))) // it attends to keys that the model alone made
  assert.ok(logits('--lora', `${adapter}@4-`).equals(plain))
  assert.ok(!logits('--control-vector', `${vector}:2`).equals(plain))
  assert.ok(logits('--control-vector', `${vector}:2:9-12`).equals(plain))
  assert.notEqual(
    output('run', model, '-p', 'a', '-n', '8', '--temperature', '0', '--lora', `${adapter}:8`),
    output('run', model, '-p', 'a', '-n', '8', '--temperature', '0'),
  )
  const run = (...args) => ['logits', model, '--tokens', '1', '--out', join(folder, 'changed.f32'), ...args]
  fails(1, /absent\.gguf: cannot be opened/, ...run('--lora', join(folder, 'absent.gguf:2@1-')))
  fails(1, /alpha-nan\.gguf: adapter\.lora\.alpha: /, ...run('--lora', join(lab, 'bad/alpha-nan.gguf')))
  fails(1, /bad-width\.gguf: direction\.\d+: has \d+ numbers/, ...run('--control-vector', join(lab, 'cvec/bad-width.gguf')))
})

test('intervene takes a plan, and names its errors', needsShared, () => {
  const plan = join(folder, 'plan.json'),
    out = join(folder, 'edited.f32')
  const run = ops => {
    writeFileSync(plan, typeof ops === 'string' ? ops : JSON.stringify({ ops }))
    return ['intervene', stories, '--tokens', '1,403,407', '--plan', plan, '--out', out]
  }
  const logits = ops => (output(...run(ops)), readFileSync(out))
  output('logits', stories, '--tokens', '1,403,407', '--out', join(folder, 'plain.f32'))
  const plain = readFileSync(join(folder, 'plain.f32'))
  assert.ok(logits([]).equals(plain))
  const zero = { op: 'scale-head', layer: 4, head: 0, factor: 0 }
  const cut = {
    op: 'cut',
    layer: 4,
    head: 0,
    edges: [
      [0, 0],
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
      [2, 2],
    ],
  }
  assert.ok(!logits([zero]).equals(plain))
  assert.ok(logits([cut]).equals(logits([zero])))
  const own = { op: 'patch', layer: 2, position: 1, tokens: [1, 403], from: 1 }
  assert.ok(logits([own]).equals(plain))
  assert.ok(
    !logits([
      { ...own, tokens: [1, 5] },
      { op: 'mean-head', layer: 1, head: 3, tokens: [7, 8], positions: [0] },
    ]).equals(plain),
  )
  for (const [message, ops] of [
    [/ops\[0\]\.layer: is missing/, [{ op: 'add' }]],
    [/ops\[0\]\.layer: must be an integer/, [{ ...zero, layer: 0.5 }]],
    [/ops\[1\]\.op: "x" is not add/, [zero, { ...zero, op: 'x' }]],
    [/ops\[0\]\.scale: is not a field of this op/, [{ ...zero, scale: 1 }]],
    [/edits\[0\]\.head: 99 is out of range/, [{ ...zero, head: 99 }]],
    [/edits\[0\]\.vector: has 2 numbers, expected 64/, [{ op: 'add', layer: 0, vector: [1, 2] }]],
    [/plan\.json: is not JSON/, '{ops'],
    [/plan\.json: must be an object with a list of ops/, '{}'],
  ])
    fails(1, message, ...run(ops))
})

test('attribute prints the contributions to a logit', needsShared, () => {
  const parts = JSON.parse(output('attribute', stories, '--tokens', '1,403,407', '--position', '2', '--token', '261'))
  const add = numbers => numbers.reduce((a, b) => a + b, 0)
  assert.deepEqual(
    parts.heads.map(heads => heads.length),
    [8, 8, 8, 8, 8],
  )
  const sum = parts.embedding + parts.constant + add(parts.heads.flat()) + add(parts.attention_bias) + add(parts.mlp)
  assert.ok(Math.abs(sum - parts.sum) < 1e-9 && Math.abs(parts.sum - parts.logit) < 1e-4)
  fails(
    1,
    /positions: 1 is out of range: the text has 1 positions/,
    'attribute',
    stories,
    '--tokens',
    '1',
    '--position',
    '1',
    '--token',
    '1',
  )
})

test('embed writes the pooled vector of tokens or a text', () => {
  const embed = (...args) => {
    const file = join(folder, 'vector.f32')
    assert.equal(output('embed', goldenFile('bert'), '--out', file, ...args), '')
    const bytes = readFileSync(file)
    return [...new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)]
  }
  const near = (values, expected) =>
    assert.ok(values.length === expected.length && values.every((value, i) => Math.abs(value - expected[i]) < 0.01))
  const { tokens } = golden('bert')
  const ids = ['--tokens', tokens.join()]
  const pooled = [...goldenFloats('bert.pooled.f32')]
  const width = pooled.length / 3
  near(embed(...ids), pooled.slice(0, width))
  for (const [index, pooling] of ['mean', 'cls', 'last'].entries()) {
    near(embed(...ids, '--pooling', pooling), pooled.slice(index * width, (index + 1) * width))
  }
  near(embed(...ids, '--pooling', 'none'), [...goldenFloats('bert.f32')])
  for (const name of ['--normalize', '--normalise']) near([Math.hypot(...embed(...ids, name))], [1])
  assert.equal(embed('-p', 'the fox').length, width)

  const file = join(folder, 'none.f32')
  fails(2, /input|--tokens|--prompt/, 'embed', goldenFile('bert'), '--out', file)
  fails(2, /--pooling/, 'embed', goldenFile('bert'), '--out', file, '-p', 'a', '--pooling', 'max')
  fails(1, /has no encoder/, 'embed', goldenFile('gpt2'), '--out', file, '--tokens', '1')
  assert.ok(!existsSync(file))
})

test('logits of an encoder-decoder model are those of --decoder-tokens', () => {
  const file = join(folder, 'decoder.f32')
  const { tokens, decoder_tokens: decoderTokens } = golden('t5')
  const both = ['--tokens', tokens.join(), '--decoder-tokens', decoderTokens.join(), '--out', file]
  assert.equal(output('logits', goldenFile('t5'), ...both), '')
  assert.equal(readFileSync(file).length, goldenFloats('t5.f32').byteLength)
  fails(1, /--decoder-tokens: are needed/, 'logits', goldenFile('t5'), '--tokens', '1', '--out', file)
  fails(1, /--decoder-tokens: are for/, 'logits', goldenFile('gpt2'), ...both)
})

test('bench prints figures as JSON', needsShared, () => {
  const figures = JSON.parse(output('bench', stories, '-p', '16', '-n', '4', '--threads', '2', '-r', '1'))
  const speeds = ['prefillTokensPerSecond', 'decodeTokensPerSecond', 'loadMs']
  for (const key of speeds) assert.ok(figures[key] > 0, key)
  assert.equal(figures.threads, 2)
})

test('info describes a model file as JSON', needsShared, () => {
  const info = JSON.parse(output('info', stories))
  assert.equal(info.architecture, 'llama')
  assert.equal(info.format, 'GGUF 3')
  assert.equal(info.parameters, 260032)
  assert.equal(info.metadata['llama.block_count'], 5)
  assert.equal(info.metadata['tokenizer.ggml.tokens'].count, 512)
  const embedding = info.tensors.find(tensor => tensor.name === 'token_embd.weight')
  assert.deepEqual(embedding.shape, [512, 64])
  assert.equal(embedding.dtype, 'F32')
  assert.equal(info.totals.F32.bytes, 260032 * 4)
})

test('wrong usage: one line on stderr and status 2', () => {
  fails(2, /command is required/)
  fails(2, /unknown command 'walk'/, 'walk')
  fails(2, /--prompt is required/, 'run', 'model.gguf')
  fails(2, /--steps/, 'run', 'model.gguf', '-p', 'x', '--steps', '3')
  fails(2, /--threads/, 'run', 'model.gguf', '-p', 'x', '--threads', '0')
  fails(2, /--max-tokens/, 'run', 'model.gguf', '-p', 'x', '-n', '-3')
  fails(2, /temperature: must be/, 'run', 'model.gguf', '-p', 'x', '--temperature', '-1')
  fails(2, /int4/, 'run', 'model.gguf', '-p', 'x', '--kv', 'int4')
  fails(2, /'cray'/, 'run', 'model.gguf', '-p', 'x', '--target', 'cray')
  fails(2, /7 is not ID=BIAS/, 'run', 'model.gguf', '-p', 'x', '--logit-bias', '7')
  fails(2, /--tokens/, 'logits', 'model.gguf', '--tokens', '1,two', '--out', join(folder, 'x'))
})

test('other failures: one line on stderr and status 1', () => {
  fails(1, /absent\.gguf: cannot be opened/, 'run', join(folder, 'absent.gguf'), '-p', 'x')
  fails(1, /absent\.gguf: cannot be opened/, 'info', join(folder, 'absent.gguf'))
  fails(1, /./, 'run', folder, '-p', 'x')
  const page = join(folder, 'page.gguf')
  writeFileSync(page, '<!DOCTYPE html>')
  for (const command of [['info'], ['tokenize'], ['run', '-p', 'x']]) {
    fails(1, /page\.gguf: this is not a GGUF file/, ...command, page)
  }
})

test('arguments that do not fit the model, and truncated files: one line on stderr and status 1', needsShared, () => {
  const out = join(folder, 'x')
  fails(1, /9999 is outside the vocabulary/, 'logits', stories, '--tokens', '1,9999', '--out', out)
  fails(1, /cannot be written/, 'logits', stories, '--tokens', '1', '--out', join(folder, 'absent', 'x'))
  fails(1, /context_length: .* 512, not 1000/, 'run', stories, '-p', 'x', '--context', '1000')
  const long = 'once '.repeat(600)
  fails(1, /prompt: has \d+ tokens, but the context has room for 512/, 'run', stories, '-p', long)
  const cut = join(folder, 'cut.gguf')
  writeFileSync(cut, readFileSync(stories).subarray(0, 500_000))
  fails(1, /ends after 500000 of 1054176 bytes/, 'run', cut, '-p', 'x')
  fails(1, /ends after 500000 of 1054176 bytes/, 'info', cut)
})

test('help goes to stdout', () => {
  for (const args of [['--help'], ['run', '--help']]) assert.match(output(...args), /--help/)
})
