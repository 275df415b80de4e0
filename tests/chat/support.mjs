// Helpers of the heed/chat tests: the reference data in ../shared, and a template and tools of our own.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { ChatTemplate } from 'heed/chat'
import { inRoot } from '../../tools/paths.mjs'

const shared = inRoot('..', 'shared/chat')

/** For tests that read ../shared/chat: they are skipped if there is none. */
export const needsShared = { skip: existsSync(shared) ? false : 'there is no ../shared/chat' }
const readJson = path => JSON.parse(readFileSync(path, 'utf8'))
export const sharedJson = path => readJson(`${shared}/${path}`)
export const ownJson = name => readJson(inRoot('tests/chat/data', `${name}.json`))

/** The templates of a folder: their names, their sources, and the tokens that they are used with. */
export function sharedTemplates(folder = 'templates') {
  if (needsShared.skip) return []
  const known = new Map(sharedJson('manifest.json').templates.map(template => [template.name, template]))
  return readdirSync(`${shared}/${folder}`)
    .sort()
    .map(file => {
      const name = file.replace('.jinja', '')
      const { bos_token: bosToken = '<s>', eos_token: eosToken = '</s>', calls } = known.get(name) ?? {}
      const source = readFileSync(`${shared}/${folder}/${file}`, 'utf8')
      return { name, source, calls, template: new ChatTemplate(source, { bosToken, eosToken }) }
    })
}

/** The options of `render` for a conversation of the reference. */
export const optionsOf = ({ tools, addGenerationPrompt, now, extra }, continued = false) =>
  continued ? { tools, continueFinal: true, now, ...extra } : { tools, addGenerationPrompt, now, ...extra }

/** A template with the usual features. */
export const chatml = `{%- if tools %}
    {{- '<|im_start|>system\\nTools:' }}
    {%- for tool in tools %}{{ '\\n' + tool | tojson }}{% endfor %}
    {{- '\\nCall one as <tool_call>{"name": …, "arguments": …}</tool_call>.<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' }}
    {%- if message.content %}{{ message.content | trim }}{% endif %}
    {%- for call in message.tool_calls or [] %}
        {{- '<tool_call>' + call.function | tojson + '</tool_call>' }}
    {%- endfor %}
    {{- '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% if enable_thinking is false %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}{% endif %}`

export const user = content => ({ role: 'user', content })

export const tools = [
  {
    type: 'function',
    function: {
      name: 'water_level',
      description: 'How high a river is.',
      parameters: {
        type: 'object',
        properties: {
          river: { type: 'string' },
          days: { type: 'integer' },
          places: { type: 'array', items: { type: 'string' } },
          exact: { type: 'boolean' },
        },
      },
    },
  },
  { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
]

/** Pseudorandom numbers from 0 to 1, the same for the same seed. */
export function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
