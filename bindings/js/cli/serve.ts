// heed serve: OpenAI's API for a model, for programs on this machine only.
import type { LoadOptions } from 'heed'
import { heedFetch } from 'heed/openai'
import { loadOptions, numberOf, optionsFrom, readArguments, textOf, UsageError } from './arguments.js'
import { draftOption, withModel } from './files.js'
import { hubOption } from './hub.js'
import { projectorOption } from './media.js'
import { commandOptions, servingOptions } from './options.generated.js'
import { tell, writeText } from './output.js'
import { startServer } from './serving/server.js'

const usualPort = 8484

export async function serve(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, commandOptions.serve.options, 1)
  const port = numberOf(values, 'port') ?? usualPort
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new UsageError(`--port: '${values.port}' is not a port`)
  const key = textOf(values, 'key') ?? process.env.HEED_API_KEY
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw new UsageError('--key: expected printable characters without spaces')
  const origins = (textOf(values, 'cors')?.split(',') ?? []).map(originOf)
  const [source] = positionals
  const { draft } = draftOption(values)
  const loading: LoadOptions = {
    ...loadOptions(values),
    ...optionsFrom(values, servingOptions),
    ...hubOption(values),
    ...projectorOption(values),
    draft,
    cache:
      isDownloaded(source) &&
      [values.mmproj, draft].every(file => typeof file !== 'string' || file === 'auto' || isDownloaded(file)),
  }
  return withModel(source, loading, async model => {
    const server = await startServer(heedFetch(model), { port, key, origins })
    writeText(`${model.info.name || model.info.architecture}: http://127.0.0.1:${server.port}/v1\n`)
    if (key === undefined) tell('without a key: every program on this machine may use it')
    await new Promise<void>(resolve => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    })
    await server.close()
    return 0
  })
}

/** Whether a source is a download, which can be stored. */
const isDownloaded = (source: unknown) => /^(hf|https?):/i.test(String(source))

/** An origin in the format in which browsers send it. Those of apps and extensions have other schemes: `app://obsidian.md`. */
function originOf(given: string): string {
  const origin = given.replace(/\/$/, '')
  const isOrigin = /^https?:/i.test(origin)
    ? URL.canParse(origin) && new URL(origin).origin === origin
    : /^[a-z][a-z\d+.-]*:\/\/[^\s/?#]+$/.test(origin)
  if (!isOrigin) throw new UsageError(`--cors: '${given}' is not an origin, such as http://localhost:5173`)
  return origin
}
