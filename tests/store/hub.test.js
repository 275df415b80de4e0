// The choice of a repository's file: listings in the style of those who publish GGUF files, shortened, with the relevant headers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelStore } from 'heed'
import { rejectsWith } from '../package/support.mjs'
import { blankModel } from '../support/gguf_files.mjs'
import { ggufFile } from '../../tools/bench/models/gguf.mjs'
import { useHub } from './support.mjs'

const withHeader =
  pairs =>
  (seed = 1) =>
    ggufFile({ 'general.architecture': ['string', 'llama'], ...pairs }, [
      { name: 'noise', shape: [32], values: Float32Array.from({ length: 32 }, (_, index) => index + seed) },
    ])
const text = value => ['string', value]
const projector = withHeader({ 'general.architecture': text('clip'), 'clip.projector_type': text('mlp') })
const olderProjector = withHeader({ 'general.architecture': text('clip'), 'clip.has_llava_projector': ['bool', true] })
const adapter = withHeader({ 'general.type': text('adapter'), 'adapter.type': text('lora') })
const matrix = withHeader({ 'general.type': text('imatrix') })
const vector = withHeader({ 'general.architecture': text('controlvector') })
const clip = withHeader({ 'general.architecture': text('clip'), 'clip.has_vision_encoder': ['bool', true] })

let seed = 0
const models = (...paths) => Object.fromEntries(paths.map(path => [path, blankModel(100, ++seed)]))
const split = (title, count) =>
  models(
    ...Array.from(
      { length: count },
      (_, part) => `${title}-${String(part + 1).padStart(5, '0')}-of-${String(count).padStart(5, '0')}.gguf`,
    ),
  )

/** {listing: [files, {request: the file that is loaded, or the error}]}. */
const repositories = {
  // bartowski, lmstudio-community
  'a projector in front, in the quantization of the model': [
    models(
      'google_gemma-3-4b-it-Q4_K_M.gguf',
      'google_gemma-3-4b-it-Q8_0.gguf',
      'google_gemma-3-4b-it-bf16.gguf',
      'mmproj-google_gemma-3-4b-it-bf16.gguf',
      'mmproj-google_gemma-3-4b-it-f16.gguf',
      'mmproj-google_gemma-3-4b-it-Q8_0.gguf',
      'google_gemma-3-4b-it-Q6_K_L.gguf',
      'google_gemma-3-4b-it-imatrix.gguf',
    ),
    {
      ':Q8_0': 'google_gemma-3-4b-it-Q8_0.gguf',
      ':BF16': 'google_gemma-3-4b-it-bf16.gguf',
      ':q6_k_l': 'google_gemma-3-4b-it-Q6_K_L.gguf',
      ':F16': /has no F16\. Available: Q4_K_M, Q6_K_L, Q8_0, bf16$/,
    },
  ],
  'a folder for each split quantization': [
    {
      ...models('Qwen3-235B-Q2_K.gguf'),
      ...Object.assign({}, ...['Q4_K_M', 'Q8_0'].map(type => split(`Qwen3-235B-${type}/Qwen3-235B-${type}`, 2))),
    },
    { ':Q4_K_M': /belong|unsupported|part/, ':Q2_K': 'Qwen3-235B-Q2_K.gguf', '': /Which model .*Available: Q2_K, Q4_K_M, Q8_0$/ },
  ],
  // mradermacher
  'points between name and type, and i1-': [
    models(
      'Fox-8B.i1-Q4_K_M.gguf',
      'Fox-8B.i1-IQ1_S.gguf',
      'Fox-8B.i1-Q8_0.gguf',
      'Fox-8B.imatrix.gguf',
      'Fox-8B.mmproj-Q8_0.gguf',
      'Fox-8B.mmproj-f16.gguf',
    ),
    {
      ':Q8_0': 'Fox-8B.i1-Q8_0.gguf',
      ':i1-Q4_K_M': 'Fox-8B.i1-Q4_K_M.gguf',
      ':I1-IQ1_S': 'Fox-8B.i1-IQ1_S.gguf',
      ':IQ1_S': 'Fox-8B.i1-IQ1_S.gguf',
      ':f16': /has no f16\. Available: i1-IQ1_S, i1-Q4_K_M, i1-Q8_0$/,
    },
  ],
  'weighted and static quantizations in one repository': [
    models('Fox.Q4_K_M.gguf', 'Fox.i1-Q4_K_M.gguf'),
    { ':Q4_K_M': 'Fox.Q4_K_M.gguf', ':i1-Q4_K_M': 'Fox.i1-Q4_K_M.gguf' },
  ],
  'only the projector in a quantization': [
    models('Fox.Q4_K_S.gguf', 'Fox.mmproj-Q8_0.gguf'),
    { ':Q8_0': /has no Q8_0\. Available: Q4_K_S$/, '': 'Fox.Q4_K_S.gguf' },
  ],
  // unsloth
  'UD-': [
    models(
      'Qwen3-8B-Q4_K_M.gguf',
      'Qwen3-8B-UD-Q4_K_XL.gguf',
      'Qwen3-8B-UD-Q8_K_XL.gguf',
      'Qwen3-8B-UD-IQ1_S.gguf',
      'Qwen3-8B-BF16.gguf',
      'Qwen3-8B-IQ4_NL.gguf',
      'mmproj-BF16.gguf',
      'mmproj-F16.gguf',
      'mmproj-F32.gguf',
      'imatrix_unsloth.gguf',
      'mtp-Qwen3-8B-Q4_K_M.gguf',
      'mtp-Qwen3-8B-BF16.gguf',
      'MTP/Qwen3-8B-BF16.gguf',
    ),
    {
      ':UD-Q4_K_XL': 'Qwen3-8B-UD-Q4_K_XL.gguf',
      ':Q4_K_XL': 'Qwen3-8B-UD-Q4_K_XL.gguf',
      ':ud-iq1_s': 'Qwen3-8B-UD-IQ1_S.gguf',
      ':Q4_K_M': 'Qwen3-8B-Q4_K_M.gguf',
      ':BF16': 'Qwen3-8B-BF16.gguf',
      ':UD-Q4_K_M': /has no UD-Q4_K_M/,
      ':F32': /has no F32/,
    },
  ],
  'a folder that alone has the quantization': [
    models('Q4_K_M/model.gguf', 'UD-Q2_K_XL/model.gguf', 'BF16/model.gguf', 'Fox-Q6_K.gguf/Fox.gguf'),
    {
      ':Q4_K_M': 'Q4_K_M/model.gguf',
      ':Q2_K_XL': 'UD-Q2_K_XL/model.gguf',
      ':UD-Q2_K_XL': 'UD-Q2_K_XL/model.gguf',
      ':bf16': 'BF16/model.gguf',
      ':Q6_K': 'Fox-Q6_K.gguf/Fox.gguf',
    },
  ],
  // ggml-org, llama.cpp's own names
  'types in small letters, fp16, MXFP4': [
    models(
      'fox-q4_0.gguf',
      'fox-fp16.gguf',
      'fox-mxfp4.gguf',
      'fox-f32.gguf',
      'fox-q8_0.gguf',
      'fox-mmproj-model-f16.gguf',
      'ggml-vocab-fox-q8_0.gguf',
    ),
    {
      ':F16': 'fox-fp16.gguf',
      ':FP16': 'fox-fp16.gguf',
      ':MXFP4': 'fox-mxfp4.gguf',
      ':fp32': 'fox-f32.gguf',
      ':Q8_0': 'fox-q8_0.gguf',
    },
  ],
  'what follows the type': [
    models('Fox-Q4_K_M-imat.gguf', 'Fox-imatrix-Q5_K_M.gguf', 'Fox-D_AU-Q6_K-v2.gguf', 'Fox-BF16-Q8_0.gguf'),
    {
      ':Q4_K_M': 'Fox-Q4_K_M-imat.gguf',
      ':Q5_K_M': 'Fox-imatrix-Q5_K_M.gguf',
      ':Q6_K': 'Fox-D_AU-Q6_K-v2.gguf',
      ':Q8_0': 'Fox-BF16-Q8_0.gguf',
      ':BF16': /no BF16/,
    },
  ],
  'one model, whose type is in no name': [
    { ...models('text-model.gguf', 'mmproj-model.gguf', 'NAME-mmproj.gguf') },
    { '': 'text-model.gguf' },
  ],
  'parts of an audio model': [
    models(
      'LFM2-Audio-Q8_0.gguf',
      'mmproj-audioencoder-LFM2-Audio-Q8_0.gguf',
      'audiodecoder-LFM2-Audio-Q8_0.gguf',
      'vocoder-LFM2-Audio-Q8_0.gguf',
      'tokenizer-LFM2-Audio-Q8_0.gguf',
    ),
    { ':Q8_0': 'LFM2-Audio-Q8_0.gguf', '': 'LFM2-Audio-Q8_0.gguf' },
  ],
  'drafters beside their model': [
    models('Fox-27B-Q8_0.gguf', 'Fox-0.6B-DRAFT-Q8_0.gguf', 'Fox-27B-eagle3-Q8_0.gguf', 'mtp-Fox-27B-Q8_0.gguf'),
    { ':Q8_0': 'Fox-27B-Q8_0.gguf' },
  ],
  'nothing but drafters': [models('Fox-DRAFT-0.6B-Q4_0.gguf', 'Fox-DRAFT-0.6B-F16.gguf'), { ':Q4_0': 'Fox-DRAFT-0.6B-Q4_0.gguf' }],
  'a model that has its drafter within': [models('Fox-MTP-Q4_K_M.gguf', 'Fox-MTP-Q8_0.gguf'), { ':Q8_0': 'Fox-MTP-Q8_0.gguf' }],
  'nothing but an adapter': [{ 'LoRA-Fox-f16.gguf': adapter() }, { ':F16': 'LoRA-Fox-f16.gguf', '': 'LoRA-Fox-f16.gguf' }],
  // by their headers
  'companions whose names do not say so': [
    {
      ...models('Fox-Q8_0.gguf'),
      'Fox-vision-Q8_0.gguf': projector(),
      'Fox-eyes-Q8_0.gguf': olderProjector(),
      'Fox-poet-Q8_0.gguf': adapter(),
      'Fox-importance-Q8_0.gguf': matrix(),
      'Fox-happy-Q8_0.gguf': vector(),
      'Fox-seen-Q8_0.gguf': withHeader({ 'general.type': text('mmproj') })(),
    },
    { ':Q8_0': 'Fox-Q8_0.gguf', '': 'Fox-Q8_0.gguf' },
  ],
  'only a companion in a quantization, whose name does not say so': [
    { ...models('Fox-Q4_0.gguf', 'Fox-Q8_0.gguf'), 'eyes-F16.gguf': projector(), 'poet-BF16.gguf': adapter() },
    { ':F16': /has no F16\. Available: /, ':BF16': /has no BF16\. Available: /, ':Q8_0': 'Fox-Q8_0.gguf' },
  ],
  'a vision model, which is no projector': [
    { 'clip-F16.gguf': clip(), 'clip-b-F16.gguf': projector() },
    { ':F16': 'clip-F16.gguf' },
  ],
  'more than one, indeed': [
    models('Fox-Q8_0.gguf', 'Fox-chat-Q8_0.gguf'),
    { ':Q8_0': /has more than one Q8_0: Fox-Q8_0\.gguf, Fox-chat-Q8_0\.gguf\. Name the file: hf:heed\/\d+\/Fox-Q8_0\.gguf$/ },
  ],
  'one file under two names': [
    (file => ({ 'Fox-Q8_0.gguf': file, 'latest/Fox-Q8_0.gguf': file }))(blankModel(100)),
    { ':Q8_0': 'Fox-Q8_0.gguf' },
  ],
  'one quantization whole and, under another name, in parts': [
    { ...models('Fox-Q8_0.gguf'), ...split('parts/Fox-Q8_0', 2) },
    { ':Q8_0': /more than one Q8_0: Fox-Q8_0\.gguf, parts\/Fox-Q8_0-00001-of-00002\.gguf\./ },
  ],
  'no model': [
    { 'README.md': Buffer.from('#'), 'Fox.Q8_0.gguf.part1of2': Buffer.from('G') },
    { ':Q8_0': /has no Q8_0\. Available: no GGUF models$/ },
  ],
}

const numbered = Object.entries(repositories)
const use = useHub(Object.fromEntries(numbered.map(([, [files]], index) => [`heed/${index}`, files])))

numbered.forEach(([name, [, cases]], index) => {
  for (const [wanted, expected] of Object.entries(cases)) {
    test(`${name}: ${wanted || 'nothing named'}`, async () => {
      const download = () => modelStore.download(`hf:heed/${index}${wanted}`, use.options)
      if (expected instanceof RegExp)
        return assert.rejects(download, ({ code, message }) => {
          assert.match(message, expected)
          return code === 'invalid-argument' || code === 'invalid-file'
        })
      await download()
      const [path] = use.hub.requests
        .filter(({ origin }) => origin === 'storage')
        .slice(-1)
        .map(({ url }) => decodeURIComponent(url).split(/^\/heed\/\d+\/|\?/)[1])
      assert.equal(path, expected)
    })
  }
})

test('a server that gives no headers of files leaves the choice to the user', async () => {
  const index = numbered.findIndex(([name]) => name.startsWith('companions'))
  use.hub.refusals = Array.from({ length: 7 }, () => ({ status: 404 }))
  await rejectsWith('invalid-argument', /more than one Q8_0/, () => modelStore.download(`hf:heed/${index}:Q8_0`, use.options))
})

test('a token goes to no other path of the endpoint', async () => {
  const {
    hub,
    options: {
      hub: { endpoint },
    },
  } = use
  const sources = [
    'hf:../../x',
    'hf:../x/y',
    'hf:a/..',
    'hf:a/..:Q8_0',
    'hf:./b',
    'hf:a?x/b',
    'hf:a/b?x',
    'hf:a/b#x',
    'hf:a/b?x:Q8_0',
    'hf:a\\b/c',
    'hf:a/b/../../../api/whoami',
    'hf:a/b/./x.gguf',
    'hf:a/b/..',
    'hf:%2e%2e/b',
    'hf:a/b@x',
    'hf:é/b',
    'hf:a /b',
    'hf:a/b\n',
    'hf:a/b/\ud800.gguf',
  ]
  for (const source of sources) {
    await rejectsWith('invalid-argument', /source: ".*" is neither hf:OWNER/s, () =>
      modelStore.download(source, { hub: { endpoint, token: 'hf_secret' } }),
    )
  }
  for (const revision of ['..', '.', '../../x', 'a/../b']) {
    await rejectsWith('invalid-argument', /revision/, () =>
      modelStore.download('hf:heed/0:Q8_0', { hub: { endpoint, token: 'hf_secret', revision } }),
    )
  }
  assert.deepEqual(hub.requests, [])
  for (const path of ['a?b.gguf', 'a#b.gguf', 'a%2e%2e/b.gguf', '...gguf', 'a\\..\\b.gguf', 'ü x.gguf']) {
    await rejectsWith('invalid-argument', /has no file/, () =>
      modelStore.download(`hf:heed/0/${path}`, { hub: { endpoint, token: 'hf_secret' } }),
    )
  }
  for (const { url } of hub.requests) assert.match(url, /^\/api\/models\/heed\/0\/tree\/main\?recursive=true$/)
})
