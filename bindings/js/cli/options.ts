// Written by tools/contract from api/: the arguments of the commands, by their names.

export const samplingOptions = {
  'max-tokens': { option: 'maxTokens', read: 'number', short: 'n' },
  temperature: { option: 'temperature', read: 'number' },
  'top-k': { option: 'topK', read: 'number' },
  'top-p': { option: 'topP', read: 'number' },
  'min-p': { option: 'minP', read: 'number' },
  'repetition-penalty': { option: 'repetitionPenalty', read: 'number' },
  'frequency-penalty': { option: 'frequencyPenalty', read: 'number' },
  'presence-penalty': { option: 'presencePenalty', read: 'number' },
  'penalty-window': { option: 'penaltyWindow', read: 'number' },
  'logit-bias': { option: 'logitBias', read: 'biases', multiple: true },
  seed: { option: 'seed', read: 'number' },
  stop: { option: 'stop', read: 'texts', multiple: true },
} as const

export const formOptions = {
  'json-schema': { option: 'jsonSchema', read: 'file', alone: true },
  regex: { option: 'regex', read: 'text', alone: true },
  grammar: { option: 'grammar', read: 'file', alone: true },
  whitespace: { option: 'whitespace', read: 'whitespace', needs: 'json-schema' },
  closed: { option: 'closed', read: 'boolean', needs: 'json-schema' },
} as const

export const loadingOptions = {
  threads: { option: 'threads', read: 'number' },
  context: { option: 'contextLength', read: 'number' },
  kv: { option: 'kvCache', read: 'text' },
} as const

export const embeddingOptions = {
  pooling: { option: 'pooling', read: 'text' },
  normalize: { option: 'normalize', read: 'flag' },
  normalise: { option: 'normalize', read: 'flag' },
  dimensions: { option: 'dimensions', read: 'number' },
} as const

export const hubOptions = {
  revision: { option: 'revision', read: 'text' },
  endpoint: { option: 'endpoint', read: 'text' },
  token: { option: 'token', read: 'text' },
} as const

export const servingOptions = {
  parallel: { option: 'parallel', read: 'number' },
} as const

export const transcribingOptions = {
  language: { option: 'language', read: 'text' },
  task: { option: 'task', read: 'text' },
  words: { option: 'words', read: 'flag' },
  prompt: { option: 'prompt', read: 'text' },
  temperature: { option: 'temperature', read: 'number' },
  seed: { option: 'seed', read: 'number' },
} as const

/** Of each group its lines of help. */
export const optionsHelp = {
  sampling:
    'Sampling: -n, --max-tokens N   --temperature N   --top-k N   --top-p N   --min-p N   --repetition-penalty N   --frequency-penalty N\n          --presence-penalty N   --penalty-window N   --logit-bias ID=BIAS (repeatable)   --seed N   --stop TEXT (repeatable)',
  form: 'Format:   --json-schema FILE   --regex REGEX   --grammar FILE (GBNF)   --whitespace any|compact|N   --closed true|false',
  loading: 'Loading:  --threads N   --context N   --kv f32|f16|int16|int8',
  embedding: 'Vectors:  --pooling mean|cls|last|none   --normalize   --dimensions N',
  hub: 'Hub:      --revision NAME   --endpoint URL   --token TOKEN',
  serving: 'Serving:  --parallel N',
  transcribing:
    'Sound:    --language CODE|auto   --task transcribe|translate   --words   --prompt TEXT   --temperature N   --seed N',
}
