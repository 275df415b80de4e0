// The options of a chat, with types from its schemas.
import type { ChatOptions } from './chat-options.generated.js'
import type { Tool } from './messages.js'

/** Chat options with the types of the answer's schema and of each tool's parameters. */
export type TypedChatOptions<Schema, Parameters extends readonly unknown[]> = Omit<ChatOptions, 'tools'> & {
  jsonSchema?: Schema
  tools?: { readonly [At in keyof Parameters]: Tool<Parameters[At]> }
}
