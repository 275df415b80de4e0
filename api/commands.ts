// The commands of `npx heed`: their own options, and the groups of the package's options that they take.
import type { Command, OwnOption } from './define.js'

const file: OwnOption = { value: 'FILE' }
const flag: OwnOption = {}
const draft: OwnOption = { value: 'auto|heads|off|FILE' }
const prompt: OwnOption = { short: 'p', value: 'TEXT' }
const thinking = { think: flag, 'no-think': flag }
const writing = ['sampling', 'form', 'media', 'loading'] as const

/** The projector of a model that sees or hears, and images and sounds for it. */
export const mediaArguments = {
  mmproj: file,
  image: { value: 'FILE', many: true, note: 'PNG or JPEG' },
  audio: { value: 'FILE', many: true, note: 'WAV' },
} as const

export const commands = {
  chat: { own: { system: { value: 'TEXT' }, load: file, template: file, ...thinking, draft }, takes: writing },
  run: { own: { prompt, 'ignore-end': flag, 'parse-special': flag, draft }, takes: writing },
  embed: {
    own: { prompt: { ...prompt, many: true }, tokens: { value: 'ID,...', many: true }, out: file },
    takes: ['embedding', 'loading'],
  },
  info: { own: {}, takes: ['loading'] },
  transcribe: { own: { srt: flag, vtt: flag, json: flag }, takes: ['transcribing', 'loading'] },
  render: {
    own: {
      ids: flag,
      json: flag,
      ...thinking,
      'no-generation-prompt': flag,
      'continue-final': flag,
      now: { value: 'DATE' },
      template: file,
    },
    takes: ['loading'],
  },
  serve: {
    own: { port: { value: 'N' }, key: { value: 'KEY' }, cors: { value: 'ORIGIN,...' }, mmproj: file, draft },
    takes: ['serving', 'loading', 'hub'],
  },
  download: { own: { reload: flag, json: flag }, takes: ['hub'] },
  list: { own: { json: flag }, takes: [] },
  lab: { own: {}, takes: ['loading'] }, // each command of the lab also takes the values for its call as arguments
} as const satisfies Record<string, Command>
