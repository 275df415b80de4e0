// Reads the models and conversations that commands name.
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { HeedError, loadModel, type LoadOptions } from 'heed'
import { type readArguments, textOf, UsageError } from './arguments.js'
import { progress } from './output.js'

export type Model = Awaited<ReturnType<typeof loadModel>>
export type Messages = Parameters<Model['chat']>[0]

/** Loads a model, by default the bundled one, calls `use` with it, and disposes of it. */
export async function withModel<Result>(
  source: string | undefined,
  options: LoadOptions,
  use: (model: Model) => Promise<Result>,
): Promise<Result> {
  const percent = (loaded: number, total: number) => Math.min(100, Math.floor((loaded / total) * 100))
  const onProgress: LoadOptions['onProgress'] = ({ loaded, total }) =>
    progress(total ? `loading: ${percent(loaded, total)} %` : 'loading')
  const model = await loadModel(source, { ...options, onProgress }).finally(() => progress(''))
  try {
    return await use(model)
  } finally {
    await model.dispose()
  }
}

/** `--draft`: a file that drafts, `heads` for the heads in the model's own file, or `off`. */
export const draftOption = (values: ReturnType<typeof readArguments>['values']): Pick<LoadOptions, 'draft'> => {
  const given = textOf(values, 'draft')
  return { draft: given === 'heads' || (given === 'off' ? false : given) }
}

export function modelOf([source]: readonly string[]): string {
  if (source === undefined) throw new UsageError('no model: give a GGUF file, its URL or hf:OWNER/REPOSITORY:Q4_K_M')
  return source
}

/**
 * The chat template from a file if one is given, otherwise the model's. Throws a UsageError if the model has none.
 */
export async function templateOf(model: Model, given: string | undefined) {
  if (given !== undefined || model.info.chatTemplates.default !== undefined) return model.chatTemplate(given)
  throw new UsageError('the model has no chat template; give one as --template FILE')
}

/** The text of a file. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new HeedError('io', `${path}: ${(error as Error).message}`)
  }
}

/** Reads all of stdin; throws if it is a terminal. */
export async function readInput(what: string): Promise<string> {
  if (process.stdin.isTTY) throw new UsageError(`no ${what}`)
  return text(process.stdin)
}

export function parseJson(name: string, json: string, read: (json: string) => unknown = JSON.parse): unknown {
  try {
    return read(json)
  } catch (error) {
    throw new HeedError('invalid-file', `${name}: ${(error as Error).message}`)
  }
}

/** Parses a conversation: a list of messages, or an object with such a list and optional tools. */
export function readConversation(
  name: string,
  json: string,
  read?: (json: string) => unknown,
): { messages: Messages; tools?: readonly object[] } {
  const value = parseJson(name, json, read)
  const { messages, tools } = (Array.isArray(value) ? { messages: value } : (value ?? {})) as Record<string, unknown>
  if (!Array.isArray(messages)) throw new HeedError('invalid-file', `${name}: neither a list of messages nor an object with one`)
  if (tools !== undefined && !Array.isArray(tools)) throw new HeedError('invalid-file', `${name}: tools: expected a list`)
  return { messages, tools }
}
