// The interface of a call format.
import type { ChatTool } from '../types.js'
import type { Reader, Parsing } from './reader.js'
import type { Reply } from './reply.js'

export interface Context {
  readonly reader: Reader
  readonly reply: Reply
  readonly tools: readonly ChatTool[]
  readonly generationPrompt: string
}

export interface Format {
  /** Whether a template is of this family. */
  isIn(source: string): boolean
  /** The markers that open one or more calls. */
  readonly open: readonly string[]
  /** Reads what follows `opener`, including the closing marker, if present. */
  call(context: Context, opener: string): Parsing
  /** The markers that close a call. */
  readonly close?: readonly string[]
  /** The markers within calls and messages that are control tokens where a vocabulary has them. */
  readonly inner?: readonly string[]
  /**
   * Whether a call or a dropped marker ends reasoning at once. If not, a call ends reasoning only if the end marker of reasoning
   * does not follow.
   */
  readonly endsReasoning?: boolean
  /** Markers that are neither text nor part of a call. */
  readonly dropped?: readonly string[]
  /** Texts that end generation, besides the end of a turn in the template; with `hasMessages`, instead of it. */
  readonly stops?: readonly string[]
  readonly hasMessages?: boolean
  /** Reads the whole reply, for families whose calls may lack an opening marker. True if nothing is left to read. */
  whole?(context: Context): Parsing<boolean>
}
