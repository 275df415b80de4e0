// heed/mcp: tools of MCP servers, and of pages that register them with the browser (WebMCP), as the tools of a chat.
import type { Tool } from '../../page/chat/messages.js'
import { HeedError, refuse } from '../../wire/errors.js'

/** A part of a result. */
interface McpContent {
  readonly type: string
  readonly text?: string
  readonly mimeType?: string
  readonly uri?: string
  readonly resource?: { readonly uri?: string; readonly text?: string; readonly mimeType?: string }
}

/** A tool as a server lists it. */
interface McpTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: object
}

/**
 * A client of `@modelcontextprotocol/sdk` or `@modelcontextprotocol/client` that is connected, or anything with these two methods.
 */
export interface McpClient {
  listTools(params?: { cursor?: string }): Promise<{ readonly tools: readonly McpTool[]; readonly nextCursor?: string }>
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    resultSchema?: undefined,
    options?: { signal?: AbortSignal },
  ): Promise<{ readonly [name: string]: unknown }>
}

/** `document.modelContext`, in browsers that have WebMCP (https://webmachinelearning.github.io/webmcp). */
export interface ModelContext {
  getTools(): Promise<readonly (Omit<McpTool, 'inputSchema'> & { readonly inputSchema?: string | object })[]>
  executeTool(tool: object, input?: object, options?: { signal?: AbortSignal }): Promise<string | null>
}

export interface ToolsFromOptions {
  /** The names of the tools to offer. Default: all. */
  readonly only?: readonly string[]
  /** Whether calls are constrained to the tools' schemas while they are generated, as with a tool's `strict`. Default: false. */
  readonly strict?: boolean
}

/**
 * The tools of an MCP server or of a page, as tools of a chat that run there. If a call fails, the model gets the error. The model
 * gets a result's text; for other parts, it gets their type and address. Throws `invalid-argument` for a source that is neither,
 * for an unknown option, and for a name in `only` that no tool has; errors of the source are passed on.
 *
 * @example
 * await client.connect(transport) // the SDK's `Client`
 * const { text } = await model.chat('What is new in the repository?', { tools: await toolsFrom(client) })
 */
export async function toolsFrom(source: McpClient | ModelContext, options: ToolsFromOptions = {}): Promise<Tool[]> {
  const { only, strict, ...unknown } = options
  for (const name of Object.keys(unknown)) throw refuse(`toolsFrom has no option "${name}"; its options are only, strict`)
  if (only !== undefined && !(Array.isArray(only) && (only as unknown[]).every(name => typeof name === 'string')))
    throw refuse('toolsFrom: only: expected an array of names')
  const tools = await listed(source)
  const absent = only?.find(name => !tools.some(tool => tool.name === name))
  if (absent !== undefined) throw refuse(`toolsFrom: only: there is no tool "${absent}"`)
  return tools
    .filter(({ name }) => !only || only.includes(name))
    .map(tool => ({ ...tool, ...(strict !== undefined && { strict }) }))
}

function listed(source: McpClient | ModelContext): Promise<Tool[]> {
  if (has(source, 'listTools') && has(source, 'callTool')) return ofClient(source as McpClient)
  if (has(source, 'getTools') && has(source, 'executeTool')) return ofPage(source as ModelContext)
  throw refuse('toolsFrom: expected a client of MCP, or document.modelContext')
}

const has = (source: unknown, method: string) => typeof (source as Record<string, unknown> | null)?.[method] === 'function'

async function ofClient(client: McpClient): Promise<Tool[]> {
  const tools: McpTool[] = []
  let cursor: string | undefined
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor })
    tools.push(...page.tools)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  // In `@modelcontextprotocol/client`, which replaces the SDK, the options follow the parameters.
  const isReplacement = has(client, 'getProtocolEra')
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema,
    execute: async (args: object, { signal }: { signal: unknown }) => {
      const given = { name, arguments: args as Record<string, unknown> }
      const options = { signal: signal as AbortSignal }
      const rest = (isReplacement ? [options] : [undefined, options]) as [undefined, typeof options]
      return resultOf(name, await client.callTool(given, ...rest))
    },
  }))
}

async function ofPage(context: ModelContext): Promise<Tool[]> {
  const tools = await context.getTools()
  return tools.map(tool => ({
    name: tool.name,
    description: tool.description,
    parameters: schemaOf(tool.inputSchema),
    execute: async (args: object, { signal }: { signal: unknown }) =>
      (await context.executeTool(tool, args, { signal: signal as AbortSignal })) ?? 'The page has moved on to another.',
  }))
}

/** The schema of a page's tool. Browsers give it as JSON, or as an empty text if the tool has none. */
const schemaOf = (schema: string | object | undefined): object | undefined =>
  typeof schema === 'string' ? (schema === '' ? undefined : (JSON.parse(schema) as object)) : schema

/** The text of a result, or its data as JSON. Throws the text of a result that is an error. */
function resultOf(name: string, result: { readonly [name: string]: unknown }): string {
  const {
    content = [],
    structuredContent,
    isError,
  } = result as {
    content?: readonly McpContent[]
    structuredContent?: object
    isError?: boolean
  }
  const text = content.map(textOf).join('\n')
  if (isError) throw new HeedError('invalid-argument', text || `${name} failed`)
  return text === '' && structuredContent ? JSON.stringify(structuredContent) : text
}

const textOf = ({ type, text, mimeType, uri, resource }: McpContent): string =>
  text ?? resource?.text ?? `[${[type, resource?.mimeType ?? mimeType, resource?.uri ?? uri].filter(Boolean).join(' ')}]`
