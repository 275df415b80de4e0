// Parses the options of `npm run bench`; the error for an unknown or invalid value names it.
import { parseArgs } from 'node:util'
import { dotFlags } from './dot.mjs'
import { formats } from './models/formats.mjs'
import { shapes } from './models/shapes.mjs'
import { towers } from './models/towers.mjs'
import { whisperFormats, whispers } from './models/whisper.mjs'

export const usage = `npm run bench -- [OPTION ...]           a model in a browser
  --model SHAPE,...     ${Object.keys(shapes).join(', ')} (default 1.1b)
  --format FORMAT,...   of its random weights (default q4_0): ${formats.join(', ')}
  --file X.gguf         this model instead
  --threads N           (default 2)
  --prompt N,...        tokens of the prompts (default 128,512)
  --tokens N            to generate (default 32)
  --context N,...       tokens before those (default 64); several tell what a longer cache costs
  --simd NAME           relaxed or simd128 (default: what Heed chooses)
  --dot CLASS           sat or usdot: relaxed SIMD's dot product as processors without AVX-VNNI, or without AVX-VNNI-INT8, have it; in Chromium.
                        llama.cpp of npm then has no VNNI either, with sat
  --memory BITS,...     32 or 64 (default: what Heed chooses); both compares them, run by run
  --kv TYPE             Heed's KV cache: f32, f16, int16, q8 or q4 (default: what Heed chooses)
  --runs N              whose medians are printed (default 3)
  --browser NAME        chromium (default) or firefox
  --vs PEER,...         wllama, llama.cpp (natively: npm's node-llama-cpp, or the llama-bench that HEED_LLAMA_BENCH names)
  --json FILE           writes the figures there too
npm run bench -- texts [OPTION ...]     (or with --parallel) texts written together, a prompt that comes meanwhile, forks, saved sessions,
                                       prompts that begin alike: Heed alone, in a browser
  --model, --format, --file, --threads, --tokens, --simd, --dot, --kv, --runs, --browser, --json as above
  --parallel N          texts written together (default 8)
  --prompt N            tokens that each begins with (default 64)
npm run bench -- memory [OPTION ...]    a tab with a model that has read a long text: its memory above an empty one, and its speed, in Chromium
  --model, --format, --file, --threads, --simd, --runs, --json as above (default qwen3-0.6b, q4_k_m, 1 run)
  --context N           tokens that are read (default 4096)
  --tokens N            to generate then (default 16)
  --kv TYPE,...         Heed's KV caches (default int16,q4)
  --vs wllama           also wllama 3.13 with a cache in q4_0, which is installed in the cache folder
npm run bench -- passes [OPTION ...]    passes of a few tokens relative to passes of one: of one text, and of several, in a browser
  --model, --format, --file, --threads, --simd, --dot, --runs, --json as above
  --browser NAME        also node: the toolchain's, whose engine is Chromium's
  --tokens N,...        of the passes (default 2,3,4,5,8)
  --context N           tokens before them (default 256)
npm run bench -- drafts --file X.gguf [OPTION ...]   texts with drafts relative to those without, in a browser, of a model whose texts are
                                       known: X.gguf.json has classes of tokens, and how many % of the drafts are right in each
  --draft Y.gguf        drafts for it (default: its own heads)
  --accept N,...        these classes (default 0,50,70,90,100)
  --tokens N            to generate, at most 256 (default 128)
  --context N           tokens before them (default 64)
  --parallel N          texts at once (default 1)
  --threads, --simd, --dot, --runs, --browser, --json as with passes (default 1 run)
  --vs llama.cpp        natively, with the model's own heads: Debian's, which is installed in the cache folder, or the llama-server that
                        HEED_LLAMA_SERVER names
npm run bench -- store [OPTION ...]     loads of a model that is downloaded, downloaded and kept, and kept, in a browser
  --model, --format, --file, --threads, --simd, --runs, --browser, --json as above
  --rate N              megabytes a second that the network gives (default 125, a gigabit)
  --kept N              instead, visits to the first word after a text of N tokens, read again or kept
npm run bench -- lab [OPTION ...]       what an adapter, an ablated head, a form and the lens cost, beside plain calls, in a browser
  --model, --format, --threads, --tokens, --simd, --runs, --browser, --json as above (default 135m, q8_0, 24 tokens, 8 runs)
  --rank N              of the adapter, which has factors for all matrices (default 16)
  --layers N            of the lens (default 12)
npm run bench -- sweep [OPTION ...]     sweeps relative to as many calls of one cell each, and features relative to their pass, in a browser
  --model, --format, --file, --threads, --simd, --json as above (default 135m, q8_0)
  --browser NAME        as above, or node
  --tokens N            of the texts (default 87)
  --samples N           single calls of each kind that are timed (default 24)
npm run bench -- vision [OPTION ...]    an image read by a vision tower, in a browser; its share of the dot-product peak, and memory
  --model TOWER,...     ${Object.keys(towers).join(', ')} (default: the first three)
  --image N             pixels of its sides (default 512)
  --format, --threads, --simd, --runs, --browser, --json as above (default q8_0)
  --vs wllama
npm run bench -- speech [OPTION ...]    a sound transcribed by a Whisper model, in a browser, and the memory of the tab above an empty one
  --model SHAPE,...     ${Object.keys(whispers).join(', ')} (default: all)
  --format FORMAT,...   ${whisperFormats.join(', ')} (default: both)
  --seconds N           of the sound (default 60)
  --threads, --simd, --dot, --runs, --browser, --json as above
  --vs PEER,...         whisper.cpp, natively: Debian's, which is installed in the cache folder, or the whisper-cli that HEED_WHISPER_CLI names;
                        transformers.js 4.3, in a browser with files in q8, which is installed in the cache folder
npm run bench -- kernels [OPTION ...]   the kernels one by one, natively and as WebAssembly in Node
  --kernel NAME,... --target NAME,... --format FORMAT,... --dot CLASS --json FILE
npm run bench -- threads [OPTION ...]   the thread pool: an empty loop, and passes of many short ones, natively and in Node
  --threads N           the most (default: twice the cores)
  --busy N,...          busy loops beside them (default 0,1)
  --json FILE
npm run bench -- tokenizers [OPTION ...]   made-up vocabularies, natively and as WebAssembly in Node
  --file X.gguf,...     the vocabularies of these instead
  --json FILE
npm run bench -- constraints [OPTION ...]   texts held to JSON Schemas: a vocabulary, a schema, a mask for each token; in a browser
  --file X.gguf         the vocabulary
  --schemas FILE        MaskBench's, as JSON lines: {"schema", "tests": [{"text", "valid"}]}
  --every N             takes each Nth schema (default 1)
  --seconds N           of an engine's run, after which it begins no further schema (default 120)
  --runs N              whose medians are printed (default 3)
  --browser NAME        chromium (default) or firefox
  --vs xgrammar         also @mlc-ai/web-xgrammar, which is installed in the cache folder
  --json FILE`

/** A mistake in the arguments, which ends the program with status 2. */
export class UsageError extends Error {}

const whole = (name, text) => {
  if (/^0*[1-9]\d*$/.test(text)) return Number(text)
  throw new UsageError(`--${name}: "${text}" is not a whole number above 0`)
}
const oneOf = (name, text, known) => {
  if (known.includes(text)) return text
  throw new UsageError(`--${name}: unknown "${text}"; known: ${known.join(', ')}`)
}
const listOf = (text, read) => text.split(',').map(read)

/** Kinds of options; `read(name, text)` parses an option's text. */
const number = { type: 'string', read: whole }
const numbers = { type: 'string', read: (name, text) => listOf(text, item => whole(name, item)) }
const counts = { type: 'string', read: (name, text) => listOf(text, item => (item === '0' ? 0 : whole(name, item))) }
const words = { type: 'string', read: (name, text) => text.split(',') }
const text = { type: 'string', read: (name, text) => text }
const choice = known => ({ type: 'string', read: (name, text) => oneOf(name, text, known) })
const choices = known => ({
  type: 'string',
  read: (name, text) => listOf(text, item => oneOf(name, item, known)),
})
const dot = choice(Object.keys(dotFlags))

const options = {
  models: {
    model: choices(Object.keys(shapes)),
    format: choices(formats),
    file: text,
    threads: number,
    prompt: numbers,
    tokens: number,
    context: numbers,
    simd: choice(['relaxed', 'simd128']),
    dot: dot,
    memory: choices(['32', '64']),
    kv: choice(['f32', 'f16', 'int16', 'q8', 'q4']),
    runs: number,
    browser: choice(['chromium', 'firefox']),
    vs: choices(['wllama', 'llama.cpp']),
    json: text,
  },
  texts: {
    model: choices(Object.keys(shapes)),
    format: choices(formats),
    file: text,
    threads: number,
    prompt: number,
    tokens: number,
    simd: choice(['relaxed', 'simd128']),
    dot: dot,
    kv: choice(['f32', 'f16', 'int16', 'q8', 'q4']),
    runs: number,
    browser: choice(['chromium', 'firefox']),
    parallel: number,
    json: text,
  },
  memory: {
    model: choices(Object.keys(shapes)),
    format: choices(formats),
    file: text,
    threads: number,
    context: number,
    tokens: number,
    simd: choice(['relaxed', 'simd128']),
    kv: choices(['f32', 'f16', 'int16', 'q8', 'q4']),
    runs: number,
    vs: choices(['wllama']),
    json: text,
  },
  passes: {
    model: choices(Object.keys(shapes)),
    format: choices(formats),
    file: text,
    threads: number,
    tokens: numbers,
    context: number,
    simd: choice(['relaxed', 'simd128']),
    dot: dot,
    runs: number,
    browser: choice(['chromium', 'firefox', 'node']),
    json: text,
  },
  drafts: {
    file: text,
    draft: text,
    parallel: number,
    accept: counts,
    threads: number,
    tokens: number,
    context: number,
    simd: choice(['relaxed', 'simd128']),
    dot: dot,
    runs: number,
    browser: choice(['chromium', 'firefox', 'node']),
    json: text,
    vs: choices(['llama.cpp']),
  },
  store: {
    model: choices(Object.keys(shapes)),
    format: choices(formats),
    file: text,
    threads: number,
    simd: choice(['relaxed', 'simd128']),
    runs: number,
    browser: choice(['chromium', 'firefox']),
    rate: number,
    kept: number,
    json: text,
  },
  lab: {
    model: choices(Object.keys(shapes)),
    format: choices(formats),
    threads: number,
    tokens: number,
    rank: number,
    layers: number,
    simd: choice(['relaxed', 'simd128']),
    runs: number,
    browser: choice(['chromium', 'firefox']),
    json: text,
  },
  sweep: {
    model: choices(Object.keys(shapes)),
    format: choices(formats),
    file: text,
    threads: number,
    tokens: number,
    samples: number,
    simd: choice(['relaxed', 'simd128']),
    browser: choice(['chromium', 'firefox', 'node']),
    json: text,
  },
  vision: {
    model: choices(Object.keys(towers)),
    format: choices(formats),
    image: number,
    threads: number,
    simd: choice(['relaxed', 'simd128']),
    runs: number,
    browser: choice(['chromium', 'firefox']),
    vs: choices(['wllama']),
    json: text,
  },
  speech: {
    model: choices(Object.keys(whispers)),
    format: choices(whisperFormats),
    seconds: number,
    threads: number,
    simd: choice(['relaxed', 'simd128']),
    dot: dot,
    runs: number,
    browser: choice(['chromium', 'firefox']),
    vs: choices(['whisper.cpp', 'transformers.js']),
    json: text,
  },
  kernels: { kernel: words, target: words, format: words, dot, json: text },
  threads: { threads: number, busy: counts, json: text },
  tokenizers: { file: words, json: text },
  constraints: {
    file: text,
    schemas: text,
    every: number,
    seconds: number,
    runs: number,
    browser: choice(['chromium', 'firefox']),
    vs: choices(['xgrammar']),
    json: text,
  },
}
const defaults = {
  models: {
    model: ['1.1b'],
    format: ['q4_0'],
    threads: 2,
    prompt: [128, 512],
    tokens: 32,
    context: [64],
    runs: 3,
    browser: 'chromium',
    vs: [],
    memory: [],
  },
  texts: { model: ['1.1b'], format: ['q4_0'], threads: 2, prompt: 64, tokens: 48, parallel: 8, runs: 3, browser: 'chromium' },
  memory: {
    model: ['qwen3-0.6b'],
    format: ['q4_k_m'],
    threads: 2,
    context: 4096,
    tokens: 16,
    kv: ['int16', 'q4'],
    runs: 1,
    vs: [],
  },
  passes: {
    model: ['1.1b'],
    format: ['q4_0', 'q4_k_m', 'q8_0'],
    threads: 2,
    tokens: [2, 3, 4, 5, 8],
    context: 256,
    runs: 3,
    browser: 'chromium',
  },
  drafts: { accept: [0, 50, 70, 90, 100], threads: 2, tokens: 128, context: 64, parallel: 1, runs: 1, browser: 'chromium', vs: [] },
  store: { model: ['1.1b'], format: ['q4_0'], threads: 2, runs: 3, browser: 'chromium', rate: 125 },
  lab: { model: ['135m'], format: ['q8_0'], threads: 2, tokens: 24, rank: 16, layers: 12, runs: 8, browser: 'chromium' },
  sweep: { model: ['135m'], format: ['q8_0'], threads: 2, tokens: 87, samples: 24, browser: 'chromium' },
  vision: {
    model: Object.keys(towers).slice(0, 3),
    format: ['q8_0'],
    image: 512,
    threads: 2,
    runs: 3,
    browser: 'chromium',
    vs: [],
  },
  speech: {
    model: Object.keys(whispers),
    format: whisperFormats,
    seconds: 60,
    threads: 2,
    runs: 3,
    browser: 'chromium',
    vs: [],
  },
  kernels: {},
  threads: {},
  tokenizers: {},
  constraints: { every: 1, seconds: 120, runs: 3, browser: 'chromium', vs: [] },
}

/** Returns {command: a key of `options` or 'help', ...options}. Throws UsageError. */
export function readOptions(args) {
  const named = args[0] !== 'models' && Object.hasOwn(options, args[0])
  const command = named ? args[0] : args.some(arg => /^--parallel(=|$)/.test(arg)) ? 'texts' : 'models'
  const known = options[command]
  const parsed = parse(named ? args.slice(1) : args, known)
  if (parsed.help) return { command: 'help' }
  if (parsed.file && (parsed.model || parsed.format)) {
    throw new UsageError('--file: cannot be used with --model or --format')
  }
  if (command === 'constraints' && !(parsed.file && parsed.schemas)) throw new UsageError('constraints: needs --file and --schemas')
  if (command === 'drafts' && !parsed.file) throw new UsageError('drafts: needs --file')
  if (parsed.draft && parsed.vs) throw new UsageError('--vs: drafts by its own heads, without --draft')
  const read = Object.entries(parsed).map(([name, value]) => [name, known[name].read(name, value)])
  const chosen = { ...defaults[command], ...Object.fromEntries(read) }
  if (new Set(chosen.memory).size !== (chosen.memory?.length ?? 0)) throw new UsageError('--memory: 32, 64 or both, each once')
  if (chosen.memory?.includes('64') && chosen.simd === 'simd128') {
    throw new UsageError('--memory: 64 needs relaxed SIMD, not --simd simd128')
  }
  if (chosen.dot && chosen.simd === 'simd128') throw new UsageError('--dot: is of relaxed SIMD, not of --simd simd128')
  if (chosen.dot && chosen.browser === 'firefox') throw new UsageError('--dot: needs Chromium, not --browser firefox')
  if (command === 'drafts' && chosen.tokens + chosen.parallel > 257)
    throw new UsageError('--tokens: 256 at most, less one for each further text')
  if (chosen.tokens === 1) throw new UsageError('--tokens: expected at least 2: the first comes with the prompt')
  return { command, ...chosen }
}

function parse(args, known) {
  const types = Object.fromEntries(Object.entries(known).map(([name, { type }]) => [name, { type }]))
  try {
    return { ...parseArgs({ args, options: { ...types, help: { type: 'boolean' } } }).values }
  } catch (error) {
    throw new UsageError(error.message)
  }
}
