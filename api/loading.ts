// The options of loading and storing models.
import { group } from './define.js'
import { boolean, callback, count, integer, named, number, oneOf, signal, special, text } from './kinds.js'

export const HubOptions = group(
  'HubOptions',
  { doc: 'Options for models on a hub: sources that start with `hf:`.' },
  {
    revision: {
      kind: text,
      doc: 'A branch, a tag or a commit.',
      byDefault: '`main`',
      argument: { group: 'hub', value: 'NAME', read: 'text' },
    },
    endpoint: {
      kind: special('endpoint', 'string'),
      doc: 'The URL of the hub or of a mirror.',
      byDefault: '`https://huggingface.co`',
      argument: { group: 'hub', value: 'URL', read: 'text' },
    },
    token: {
      kind: special('token', 'string'),
      doc: "A user's access token, for models that need one. It is sent only to the endpoint and never stored.",
      argument: { group: 'hub', value: 'TOKEN', read: 'text' },
    },
  },
)

const hub = { kind: special('object(hubOptions)', 'HubOptions') }
const source = special('value => value as ModelSource', 'ModelSource')
const assets = special('assets', 'Assets')
const integrity = special('integrity', 'string | readonly string[]', 'string[]')
const cache = special('cache', "boolean | 'reload'")
const progress = callback('(progress: LoadProgress) => void')

export const LoadOptions = group(
  'LoadOptions',
  {},
  {
    threads: {
      kind: integer(1, 256),
      doc: 'Number of threads. Always 1 without SharedArrayBuffer.',
      byDefault: 'one per core, at most 8',
      engine: 'threads',
      always: true,
      argument: { group: 'loading' },
    },
    contextLength: {
      kind: count(1),
      doc: 'Context length, in tokens; an error if above `info.trainedContext`.',
      byDefault:
        '`info.trainedContext`, or half, a quarter and so on, but not below 512, if it would take more than a quarter of `memoryLimit`',
      engine: 'context_length',
      argument: { group: 'loading', name: 'context' },
    },
    kvCache: {
      kind: named('KvCache', 'auto', 'f32', 'f16', 'int16', 'q8', 'q4', 'int8'),
      doc: 'How keys and values are stored. `auto` is `f32` for models with F32, F16 or BF16 weights, and `int16` for others. If the context does not fit into the memory limit with that, it is the first of `int16`, `q8` and `q4` with which it does; `info.kvCache` says which. `q8` and `q4` take 1.06 and 0.56 bytes per value. `int8` is the old name of `q8`.',
      default: 'auto',
      engine: 'kv_cache',
      argument: { group: 'loading', name: 'kv', value: 'auto|f32|f16|int16|q8|q4' },
    },
    memoryLimit: {
      kind: integer(1),
      doc: 'Maximum bytes for weights and caches together.',
      byDefault:
        "3 GiB; for a model that needs more, 16 GiB; in both cases no more than the machine's memory, if known, which counts as 1.5 GB on iPhones and iPads",
      engine: 'memory_limit',
    },
    parallel: {
      kind: integer(1, 32),
      doc: 'Number of texts to generate at once; others wait. With 1, calls run one after the other, in the order in which they were made.',
      byDefault: '8, or fewer if memory is short',
      engine: 'parallel',
      argument: { group: 'serving' },
    },
    prefixCache: {
      kind: integer(0),
      doc: 'Bytes of cached keys and values to keep, once unused, for later prompts with the same prefix; 0 for none.',
      byDefault: 'enough for one text that fills the context, if memory allows',
      engine: 'prefix_cache_bytes',
    },
    simd: {
      kind: named('Simd', 'relaxed', 'simd128'),
      doc: 'Forces these kernels; an error if they cannot run.',
      byDefault: '`relaxed` if a probe shows that it works',
    },
    memory64: {
      kind: boolean,
      doc: 'Whether to run the WebAssembly module with 64-bit memory. It gives the same bits, generates a few per cent slower, reads prompts up to a third slower, and needs relaxed SIMD.',
      byDefault: 'only if the model needs more memory than 32 bits can address',
    },
    adapters: {
      kind: special('sources', 'Readonly<Record<string, ModelSource>>', '[string, ModelSource][]'),
      doc: 'Adapters (LoRA) to load after the model, by name, as `Model.loadAdapter` does with `hub` and `stallTimeout`.',
      byDefault: 'none',
    },
    projector: {
      kind: source,
      doc: 'The projector of a model that reads images or sounds in prompts: its second file, with `mmproj` in its name. Its weights are part of `memory().bytes`. `hub`, `cache` and `stallTimeout` are for both files.',
      byDefault: 'none',
    },
    draft: {
      kind: special('draft', "ModelSource | boolean | 'auto'", "'auto' | 'heads' | 'off'"),
      doc: "What proposes tokens for speculative decoding. `auto`: the heads in the model's own file, if it has some and they leave the context and the number of texts as they are. `true`: these heads; an error without them. `false`: nothing. Or a second file: heads of the model (`mtp-`), an assistant, or a small model with the same vocabulary. Texts stay the same, and are drafted only where that is faster; see `timings`. Memory and `hub`, `cache` and `stallTimeout` are as for the projector.",
      byDefault: '`auto`',
      engine: 'draft_heads',
    },
    assets: {
      kind: assets,
      doc: "Where the package's own files are, as URLs relative to the page or, in Node, as paths. Needed if the bundler does not detect them (esbuild, Rollup) and they are elsewhere.",
      byDefault: 'beside its script, or where the bundler put them',
    },
    cache: {
      kind: cache,
      doc: "Stores the download for the next load, and resumes an earlier, interrupted download. If the model cannot be stored, it is loaded anyway, and `onProgress` gets a notice. `reload` does the same, but first asks the server whether its file is still the stored one: by ETag, length and date, or by a hub's checksum. If it is another, that one replaces it; if the server cannot be asked, the stored one is loaded, with a notice.",
      default: false,
      byDefault: ': only a model that is stored completely, as by `modelStore.download`, is read from the store',
    },
    keep: {
      kind: boolean,
      doc: "Keeps what sessions, chats and prompts have read, and answers that are being written, in the site's file storage or, in Node, in a folder. After a reload, on another visit and in other tabs, texts with the same beginning continue from there, and `Model.unfinished` has the answers whose tab was closed. Texts with images, adapters or edits are not kept.",
      default: false,
    },
    keepBytes: {
      kind: integer(1),
      doc: 'With `keep`: the most bytes of texts to keep; the least recently used go first.',
      byDefault: '1 GiB, or a tenth of what the site may store if that is less',
    },
    shared: {
      kind: boolean,
      doc: 'In a browser: one engine for all tabs of the site that load the same files with the same options. One of the tabs runs it; when that is closed, another takes over, and calls go on there with the same results; `Model.runsIn` says whether this tab runs it. With `cache`, it loads from the store; with `keep`, sessions need not be read again.',
      default: false,
    },
    crossOriginStorage: {
      kind: boolean,
      doc: "Reads a download from Cross-Origin Storage, or stores it there in place of the site's own store. It is a draft (https://wicg.github.io/cross-origin-storage) of a storage that a browser keeps once for all sites. This takes a checksum: a hub's, or `integrity`. Without one, and in browsers that lack the storage or do not let this site use it, `cache` decides.",
      default: false,
    },
    hub: { ...hub, doc: 'Options for sources that start with `hf:`.' },
    integrity: {
      kind: integrity,
      doc: '`sha256-` and the checksum that the file must have, in hexadecimal or Base64; for a split model, one per part. A checksum that a hub lists is always verified.',
    },
    stallTimeout: {
      kind: count(1),
      doc: 'Milliseconds without data before a download is requested again.',
      byDefault: '30000',
    },
    signal: {
      kind: signal,
      doc: "Aborts loading at once: the promise rejects with an `AbortError` whose `cause` is the signal's reason.",
    },
    onProgress: {
      kind: progress,
      doc: 'Called repeatedly while the file is read, and once at its end; then likewise for the files of `projector` and `draft`.',
    },
  },
)

const asForLoading = 'As for `loadModel`.'

export const StoreOptions = group('StoreOptions', {}, { assets: { kind: assets, doc: asForLoading } })
export const HubStoreOptions = group('HubStoreOptions', { from: [StoreOptions] }, { hub })
export const PruneOptions = group(
  'PruneOptions',
  { from: [StoreOptions] },
  {
    keepBytes: { kind: integer(0), doc: 'The maximum number of bytes to keep.', required: true },
  },
)
/** Options for fetching a file. */
const fetching = {
  integrity: { kind: integrity, doc: asForLoading },
  stallTimeout: { kind: count(1), doc: asForLoading },
  signal: {
    kind: signal,
    doc: 'Pauses the download: the promise rejects with an `AbortError`, and the next call resumes.',
  },
  onProgress: { kind: progress },
} as const

export const FitsOptions = group(
  'FitsOptions',
  {
    doc: 'Options for asking whether a model fits: those of `loadModel` that matter for it.',
    from: [
      { group: LoadOptions, less: ['adapters', 'projector', 'cache', 'keep', 'keepBytes', 'shared', 'integrity', 'onProgress'] },
    ],
  },
  {},
)

export const MetadataOptions = group(
  'MetadataOptions',
  {},
  {
    file: { kind: oneOf('model', 'projector'), doc: 'Which of its files.', default: 'model' },
    signal: { kind: signal },
  },
)

export const DownloadOptions = group(
  'DownloadOptions',
  { from: [HubStoreOptions] },
  {
    ...fetching,
    cache: {
      kind: oneOf('reload'),
      doc: 'As for `loadModel`: check whether the server still has the stored file.',
      byDefault: 'a model that is stored stays',
    },
  },
)

export const ImportOptions = group(
  'ImportOptions',
  { from: [StoreOptions] },
  {
    name: { kind: text, doc: "The name of the model, for `loadModel('store:NAME')`.", byDefault: "the file's own name" },
    signal: { kind: signal },
    onProgress: { kind: progress },
  },
)

export const AdapterOptions = group(
  'AdapterOptions',
  { doc: 'Options for reading the file of an adapter or a control vector.' },
  {
    hub,
    ...fetching,
    cache: { kind: cache, doc: 'Stores the download for the next time, as for `loadModel`.', default: false },
  },
)
export const ControlVectorOptions = group(
  'ControlVectorOptions',
  { from: [AdapterOptions] },
  {
    scale: { kind: number(), doc: 'A factor of the directions.', default: 1 },
    layers: {
      kind: special('firstAndLast', 'readonly [first: number, last: number]'),
      doc: 'The first and the last layer to steer.',
      byDefault: 'all',
    },
  },
)
