// The options of a chat, as types know its schemas.
import type { ChatOptions } from './chat-options.js'
import type { Tool } from './messages.js'

/** Options of a chat with the types of its schemas: of the answer, and of each tool's parameters. */
export type TypedChatOptions<Schema, Parameters extends readonly unknown[]> = Omit<ChatOptions, 'tools'> & {
  jsonSchema?: Schema
  tools?: { readonly [At in keyof Parameters]: Tool<Parameters[At]> }
}
