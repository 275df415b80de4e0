// Written by tools/contract from api/: the arguments of the commands, by their names.

export const samplingOptions = {
  'max-tokens': { option: 'maxTokens', read: 'number' },
  temperature: { option: 'temperature', read: 'number' },
  'top-k': { option: 'topK', read: 'number' },
  'top-p': { option: 'topP', read: 'number' },
  'min-p': { option: 'minP', read: 'number' },
  'repetition-penalty': { option: 'repetitionPenalty', read: 'number' },
  'frequency-penalty': { option: 'frequencyPenalty', read: 'number' },
  'presence-penalty': { option: 'presencePenalty', read: 'number' },
  'penalty-window': { option: 'penaltyWindow', read: 'number' },
  'logit-bias': { option: 'logitBias', read: 'biases' },
  seed: { option: 'seed', read: 'number' },
  stop: { option: 'stop', read: 'texts' },
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

const samplingArguments = {
  'max-tokens': { type: 'string', short: 'n' },
  temperature: { type: 'string' },
  'top-k': { type: 'string' },
  'top-p': { type: 'string' },
  'min-p': { type: 'string' },
  'repetition-penalty': { type: 'string' },
  'frequency-penalty': { type: 'string' },
  'presence-penalty': { type: 'string' },
  'penalty-window': { type: 'string' },
  'logit-bias': { type: 'string', multiple: true },
  seed: { type: 'string' },
  stop: { type: 'string', multiple: true },
} as const
const formArguments = {
  'json-schema': { type: 'string' },
  regex: { type: 'string' },
  grammar: { type: 'string' },
  whitespace: { type: 'string' },
  closed: { type: 'string' },
} as const
const loadingArguments = { threads: { type: 'string' }, context: { type: 'string' }, kv: { type: 'string' } } as const
const embeddingArguments = {
  pooling: { type: 'string' },
  normalize: { type: 'boolean' },
  normalise: { type: 'boolean' },
  dimensions: { type: 'string' },
} as const
const hubArguments = { revision: { type: 'string' }, endpoint: { type: 'string' }, token: { type: 'string' } } as const
const servingArguments = { parallel: { type: 'string' } } as const
const transcribingArguments = {
  language: { type: 'string' },
  task: { type: 'string' },
  words: { type: 'boolean' },
  prompt: { type: 'string' },
  temperature: { type: 'string' },
  seed: { type: 'string' },
} as const
const mediaArguments = {
  mmproj: { type: 'string' },
  image: { type: 'string', multiple: true },
  audio: { type: 'string', multiple: true },
} as const

/** The options of each command, and the end of its help. */
export const commandOptions = {
  chat: {
    options: {
      system: { type: 'string' },
      load: { type: 'string' },
      template: { type: 'string' },
      think: { type: 'boolean' },
      'no-think': { type: 'boolean' },
      draft: { type: 'string' },
      ...samplingArguments,
      ...formArguments,
      ...mediaArguments,
      ...loadingArguments,
    },
    help: '--system TEXT   --load FILE   --template FILE   --think   --no-think   --draft auto|heads|off|FILE\nSampling: -n, --max-tokens N   --temperature N   --top-k N   --top-p N   --min-p N   --repetition-penalty N   --frequency-penalty N\n          --presence-penalty N   --penalty-window N   --logit-bias ID=BIAS (repeatable)   --seed N   --stop TEXT (repeatable)\nFormat:   --json-schema FILE   --regex REGEX   --grammar FILE (GBNF)   --whitespace any|compact|N   --closed true|false\nMedia:    --mmproj FILE   --image FILE (repeatable; PNG or JPEG)   --audio FILE (repeatable; WAV)\nLoading:  --threads N   --context N   --kv auto|f32|f16|int16|q8|q4',
  },
  run: {
    options: {
      prompt: { type: 'string', short: 'p' },
      'ignore-end': { type: 'boolean' },
      'parse-special': { type: 'boolean' },
      draft: { type: 'string' },
      ...samplingArguments,
      ...formArguments,
      ...mediaArguments,
      ...loadingArguments,
    },
    help: '-p, --prompt TEXT   --ignore-end   --parse-special   --draft auto|heads|off|FILE\nSampling: -n, --max-tokens N   --temperature N   --top-k N   --top-p N   --min-p N   --repetition-penalty N   --frequency-penalty N\n          --presence-penalty N   --penalty-window N   --logit-bias ID=BIAS (repeatable)   --seed N   --stop TEXT (repeatable)\nFormat:   --json-schema FILE   --regex REGEX   --grammar FILE (GBNF)   --whitespace any|compact|N   --closed true|false\nMedia:    --mmproj FILE   --image FILE (repeatable; PNG or JPEG)   --audio FILE (repeatable; WAV)\nLoading:  --threads N   --context N   --kv auto|f32|f16|int16|q8|q4',
  },
  embed: {
    options: {
      prompt: { type: 'string', short: 'p', multiple: true },
      tokens: { type: 'string', multiple: true },
      out: { type: 'string' },
      ...embeddingArguments,
      ...loadingArguments,
    },
    help: '-p, --prompt TEXT (repeatable)   --tokens ID,... (repeatable)   --out FILE\nVectors:  --pooling mean|cls|last|none   --normalize   --dimensions N\nLoading:  --threads N   --context N   --kv auto|f32|f16|int16|q8|q4',
  },
  info: { options: { ...loadingArguments }, help: 'Loading:  --threads N   --context N   --kv auto|f32|f16|int16|q8|q4' },
  transcribe: {
    options: {
      srt: { type: 'boolean' },
      vtt: { type: 'boolean' },
      json: { type: 'boolean' },
      ...transcribingArguments,
      ...loadingArguments,
    },
    help: '--srt   --vtt   --json\nSound:    --language CODE|auto   --task transcribe|translate   --words   --prompt TEXT   --temperature N   --seed N\nLoading:  --threads N   --context N   --kv auto|f32|f16|int16|q8|q4',
  },
  render: {
    options: {
      ids: { type: 'boolean' },
      json: { type: 'boolean' },
      think: { type: 'boolean' },
      'no-think': { type: 'boolean' },
      'no-generation-prompt': { type: 'boolean' },
      'continue-final': { type: 'boolean' },
      now: { type: 'string' },
      template: { type: 'string' },
      ...loadingArguments,
    },
    help: '--ids   --json   --think   --no-think   --no-generation-prompt   --continue-final   --now DATE   --template FILE\nLoading:  --threads N   --context N   --kv auto|f32|f16|int16|q8|q4',
  },
  serve: {
    options: {
      port: { type: 'string' },
      key: { type: 'string' },
      cors: { type: 'string' },
      mmproj: { type: 'string' },
      draft: { type: 'string' },
      ...servingArguments,
      ...loadingArguments,
      ...hubArguments,
    },
    help: '--port N   --key KEY   --cors ORIGIN,...   --mmproj FILE   --draft auto|heads|off|FILE\nServing:  --parallel N\nLoading:  --threads N   --context N   --kv auto|f32|f16|int16|q8|q4\nHub:      --revision NAME   --endpoint URL   --token TOKEN',
  },
  download: {
    options: { reload: { type: 'boolean' }, json: { type: 'boolean' }, ...hubArguments },
    help: '--reload   --json\nHub:      --revision NAME   --endpoint URL   --token TOKEN',
  },
  list: { options: { json: { type: 'boolean' } }, help: '--json' },
  lab: { options: { ...loadingArguments }, help: 'Loading:  --threads N   --context N   --kv auto|f32|f16|int16|q8|q4' },
} as const
