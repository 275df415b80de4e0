// Renders a template outside of chats: checks and copies arguments at the call. It is in the main script, whose readers it uses, so
// that the chat's script needs none.
import type { RenderTask } from '../../prompting/asked.js'
import type { ChatMessage, PromptPart, RenderOptions } from '../../chat/types.js'
import type { WebAbortSignal } from '../../types/web.js'
import { reading, withCaller } from '../called-from.js'
import { copyOfData, isObject, matched, Mismatch, readAll, type Reader, signal as readSignal } from '../readers.js'

type Given = Pick<RenderTask, 'messages' | 'options'>

/** Validates the arguments of `renderAsync`, then calls `render` with the result. */
export type ReadRendering = (
  render: (given: Given, signal?: WebAbortSignal) => Promise<PromptPart[]>,
  messages: unknown,
  options: unknown,
  stop: unknown,
) => Promise<PromptPart[]>

/** Copies the template's variables, which must be data; only `now` may be a Date. */
const renderOptions: Reader<RenderOptions> = (options, what) => {
  if (!isObject(options)) throw new Mismatch('an object of options')
  const { now, ...rest } = options
  return { ...(copyOfData(rest, what) as object), now: now instanceof Date ? new Date(now) : (copyOfData(now, what) as undefined) }
}

export const readRendering: ReadRendering = async (render, messages, options, stop) => {
  const [read, signal] = reading(() => [
    {
      messages: matched('render: messages', messages, copyOfData) as ChatMessage[],
      options: matched('render', options, renderOptions),
    },
    readAll('renderAsync', stop, { signal: readSignal }).signal,
  ])
  return withCaller(render(read, signal))
}
