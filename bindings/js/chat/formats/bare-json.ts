// Calls without a marker: the reply is only JSON. Llama 3 was trained to write {"name": …, "parameters": …}, with semicolons
// between calls. For models without a format of their own, the whole reply, or its one fenced block, counts as calls if every
// name in it is a tool's.
import type { Context, Format } from './format.js'
import { Unfinished, type Parsing } from './reader.js'
import { readCalls } from './tagged-json.js'

const keys = ['"name"', '"arguments"', '"parameters"', '"type"', '"id"']

/** Whether a text begins like a call, up to its first key; undefined while this cannot be decided. */
function begins(text: string): boolean | undefined {
  const start = /^\s*(?:`{1,3}(?:j|js|jso|json)?\s*)?(?:\[\s*)?(?:\{\s*([^]*))?$/.exec(text)
  if (!start || text.length > 500) return false
  const rest = start[1] ?? ''
  if (keys.some(key => rest.startsWith(key))) return true
  return keys.some(key => key.startsWith(rest)) ? undefined : false
}

interface Written {
  name: unknown
  arguments?: unknown
  parameters?: unknown
}

/** The offset of the first call if a text, apart from a fence, consists only of calls; otherwise undefined. */
function callsIn(text: string, names: readonly string[]): number | undefined {
  const trimmed = text.trim()
  const isFenced = trimmed.startsWith('```') && trimmed.endsWith('```')
  const inner = isFenced ? trimmed.slice(3, -3).replace(/^json/, '') : text
  for (const json of [inner, `[${inner.replace(/\}\s*;\s*(?=\{)/g, '},')}]`]) {
    try {
      const calls = [JSON.parse(json)].flat() as (Written | null)[]
      const read = calls.map(call => [call?.name, call?.arguments ?? call?.parameters])
      if (read.length > 0 && read.every(([name, args]) => names.includes(name as string) && typeof args === 'object' && args)) {
        return text.search(/[[{]/)
      }
    } catch {
      /* try the other form */
    }
  }
  return undefined
}

/** Waits for the end of a text that may consist of calls. If it does not, leaves it unread and returns false. */
function* readWhole(context: Context): Parsing<boolean> {
  const { reader, tools } = context
  const names = tools.map(tool => tool.function.name)
  const start = reader.at
  for (let isBegun: boolean | undefined; names.length > 0 && isBegun !== false; ) {
    if ((yield* reader.peek()) === '') {
      const text = reader.since(start)
      const first = callsIn(text, names)
      if (first !== undefined) {
        reader.at = start + first
        yield* readCalls(context)
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

/** Whether a text ends inside brackets or a string. */
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
