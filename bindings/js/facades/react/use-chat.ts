// useChat: a conversation with a model, updated while a reply is generated.
import { useCallback, useState } from 'react'
import type { ChatMessage } from '../../chat/types.js'
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import type { ChatEvent, ChatResult } from '../../page/chat/messages.js'
import type { Model } from '../../page/model.js'
import { useObservable } from './observable.js'
import { type RunState, Running, useLatest, useRunning } from './running.js'

export interface UseChatOptions extends Omit<ChatOptions, 'signal' | 'onToken'> {
  /** Initial messages, such as a system message. */
  readonly messages?: readonly ChatMessage[]
}

interface ChatState extends RunState {
  /** The last message grows while it is generated. */
  readonly messages: readonly ChatMessage[]
  readonly result?: ChatResult
}

export interface UseChat extends ChatState {
  /**
   * Adds a message (a user's text, or any message), and generates the reply; without a message, replies to the conversation as it
   * is. Waits for the model if it is still being loaded. Resolves to undefined if it failed (see `error`) or was ended before it
   * began.
   */
  readonly send: (message?: string | ChatMessage) => Promise<ChatResult | undefined>
  /** Ends the reply with the tokens that it has. */
  readonly stop: () => void
  /** Replaces the conversation, and ends a reply that is being generated. */
  readonly setMessages: (messages: readonly ChatMessage[]) => void
}

/** The messages of a reply, as far as they have been generated. */
class Answer {
  #done: readonly ChatMessage[] = []
  #results: readonly ChatMessage[] = []
  #content = ''
  #reasoning = ''

  /** Returns whether the event changes the messages. */
  add(event: ChatEvent): boolean {
    switch (event.type) {
      case 'text':
        this.#content += event.delta
        return true
      case 'reasoning':
        this.#reasoning += event.delta
        return true
      case 'tool-result':
        this.#results = [...this.#results, { role: 'tool', tool_call_id: event.id, name: event.name, content: event.content }]
        return false // shown once the step with its call is complete
      case 'step':
        this.#done = [...this.#done, event.step.message, ...this.#results]
        this.#results = []
        this.#content = this.#reasoning = ''
        return true
      default:
        return false
    }
  }

  get messages(): readonly ChatMessage[] {
    if (this.#content === '' && this.#reasoning === '') return this.#done
    const reasoning = this.#reasoning !== '' && { reasoning_content: this.#reasoning }
    return [...this.#done, { role: 'assistant', content: this.#content, ...reasoning }]
  }
}

const none: readonly ChatMessage[] = []

/**
 * A conversation. `options` are those of `model.chat`, as they are at each `send`; tools with `execute` run.
 *
 * @example
 * const { model } = useModel('/model.gguf')
 * const { messages, send, stop, status } = useChat(model, { messages: [{ role: 'system', content: 'Be brief.' }], trim: true })
 */
export function useChat(model: Model | undefined, { messages: first = none, ...options }: UseChatOptions = {}): UseChat {
  const [running] = useState(() => new Running<ChatState>({ status: 'idle', messages: first }))
  useRunning(running, model)
  const latest = useLatest(options)
  const send = useCallback(
    (message?: string | ChatMessage) => {
      running.stop()
      const asked: ChatMessage[] = [...running.get().messages]
      if (message !== undefined) asked.push(typeof message === 'string' ? { role: 'user', content: message } : message)
      running.patch({ messages: asked, result: undefined })
      let shown: readonly ChatMessage[] = asked
      /** Shows the reply, unless the conversation has been replaced meanwhile. */
      const show = (answer: readonly ChatMessage[], more?: Partial<ChatState>) => {
        if (running.get().messages !== shown) return
        shown = [...asked, ...answer]
        running.patch({ ...more, messages: shown })
      }
      return running.run(async (ready, signal) => {
        const chat = ready.chat(asked, { ...latest.current, signal })
        const answer = new Answer()
        for await (const event of chat) if (answer.add(event)) show(answer.messages, { status: 'streaming' })
        const result = await chat.result
        show(result.messages, { result })
        return result
      })
    },
    [running, latest],
  )
  const setMessages = useCallback(
    (messages: readonly ChatMessage[]) => {
      running.stop()
      running.patch({ messages, result: undefined })
    },
    [running],
  )
  return { ...useObservable(running), send, stop: running.stop, setMessages }
}
