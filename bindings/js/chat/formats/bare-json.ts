// Calls without a marker: the reply is JSON and nothing else. Llama 3 was trained so, {"name": …, "parameters": …}, with
// semicolons between several; of other models without a format of their own, the whole reply, or one fenced block, is a call
// where every name in it is a tool's.
import type { Context, Format } from './format.js'
import { Unfinished, type Step } from './reader.js'
import { readCalls } from './tagged-json.js'

const keys = ['"name"', '"arguments"', '"parameters"', '"type"', '"id"']

/** Whether a text begins as calls do, to its first key; undefined while it may. */
function begins(text: string): boolean | undefined {
  const start = /^\s*(?:`{1,3}(?:j|js|jso|json)?\s*)?(?:\[\s*)?(?:\{\s*([^]*))?$/.exec(text)
  if (!start || text.length > 500) return false
  const rest = start[1] ?? ''
  if (keys.some(key => rest.startsWith(key))) return true
  return keys.some(key => key.startsWith(rest)) ? undefined : false
}

interface Written { name: unknown, arguments?: unknown, parameters?: unknown }

/** The calls that a whole text is, if it is nothing else. */
function callsIn(text: string, names: readonly string[]): [name: string, args: unknown][] | undefined {
  const trimmed = text.trim()
  const isFenced = trimmed.startsWith('```') && trimmed.endsWith('```')
  const inner = isFenced ? trimmed.slice(3, -3).replace(/^json/, '') : text
  for (const json of [inner, `[${inner.replace(/\}\s*;\s*(?=\{)/g, '},')}]`]) {
    try {
      const calls = [JSON.parse(json)].flat() as (Written | null)[]
      const read = calls.map(call => [call?.name, call?.arguments ?? call?.parameters])
      if (read.length > 0 && read.every(([name, args]) => names.includes(name as string) && typeof args === 'object' && args)) {
        return read as [string, unknown][]
      }
    } catch { /* the other form, or none */ }
  }
  return undefined
}

/** Waits for the whole of a text that may be calls; any other is left to be read as text. */
function* readWhole({ reader, reply, tools }: Context): Step<boolean> {
  const names = tools.map(tool => tool.function.name)
  const start = reader.at
  for (let isBegun: boolean | undefined; names.length > 0 && isBegun !== false;) {
    if ((yield* reader.peek()) === '') {
      const text = reader.since(start)
      const calls = callsIn(text, names)
      if (calls) {
        for (const [name, args] of calls) reply.call(name, args)
        return true
      }
      const name = /"name"\s*:\s*"([^"\\]*)"/.exec(text)?.[1] ?? ''
      if (isBegun && names.includes(name) && isCutOff(text)) throw new Unfinished()
      break
    }
    reader.at++
    isBegun ??= begins(reader.since(start))
  }
  reader.at = start
  return false
}

/** Whether brackets or a string are open where a text ends. */
function isCutOff(text: string): boolean {
  const open = text.replace(/"(?:[^"\\]|\\.)*"/gs, '')
  return open.includes('"') || (open.match(/[[{]/g)?.length ?? 0) > (open.match(/[\]}]/g)?.length ?? 0)
}

export const json: Format = { isIn: () => true, open: [], *call() {}, whole: readWhole }

export const llama3Json: Format = {
  isIn: source => source.includes('<|python_tag|>') || source.includes('"parameters": dictionary'),
  open: ['<|python_tag|>'],
  call: readCalls,
  whole: readWhole,
  stops: ['<|eom_id|>'],
}
