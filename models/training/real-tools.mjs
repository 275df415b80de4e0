// Whether the model calls tools that others have published, with their definitions as they are: stories/packages.json says which packages
// and what is asked. They are MCP servers, which are started only to tell their tools; none of them is called.
//
//     npm run build -- package && node models/training/real-tools.mjs [MODEL.gguf] [--lines FILE]
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { loadModel } from 'heed'
import { fromNpm } from '../../tests/real/shelf.mjs'
import { Figures } from './judge.mjs'
import { answer } from './wordings.mjs'

const here = file => new URL(file, import.meta.url)
const { packages } = JSON.parse(readFileSync(here('stories/packages.json'), 'utf8'))

/** The tools that an MCP server has, as a chat offers them. */
async function toolsOf(modules, name) {
  const { bin } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'))
  const script = join(modules, name, typeof bin === 'string' ? bin : Object.values(bin)[0])
  const server = spawn(process.execPath, [script, ...(name.endsWith('server-filesystem') ? [dirname(script)] : [])], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const send = message => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'heed', version: '1' } },
  })
  try {
    for await (const line of createInterface(server.stdout)) {
      const { id, result } = line.startsWith('{') ? JSON.parse(line) : {}
      if (id === 1) {
        send({ method: 'notifications/initialized' })
        send({ id: 2, method: 'tools/list', params: {} })
      }
      if (id === 2)
        return result.tools.map(tool => ({
          name: tool.name,
          ...(tool.description && { description: tool.description }),
          parameters: tool.inputSchema,
        }))
    }
    throw new Error(`${name} told no tools`)
  } finally {
    server.kill()
  }
}

const sorted = given => JSON.stringify(Object.entries(given ?? {}).toSorted())

const {
  values: { lines },
  positionals: [file],
} = parseArgs({ allowPositionals: true, options: { lines: { type: 'string' } } })
const modules = await fromNpm('tools', Object.fromEntries(Object.entries(packages).map(([name, { version }]) => [name, version])))
const model = await loadModel(file ?? here('../heed-stories.gguf').pathname)
const figures = new Figures(lines)
for (const [name, { asked }] of Object.entries(packages)) {
  const tools = await toolsOf(modules, name)
  for (const [wanted, request, ...given] of asked) {
    const tool = tools.find(one => one.name === wanted)
    const { calls, text } = await answer(model, [{ role: 'user', content: request }], [{ ...tool, execute: () => 'ok' }])
    const [call] = calls
    const right = {
      called: call?.name === wanted,
      right: call?.name === wanted && given.some(one => sorted(one) === sorted(call.arguments)),
    }
    figures.add(name, request, { calls: calls.map(one => [one.name, one.arguments]), text }, right)
    figures.add('all packages', request, '', right)
  }
}
figures.print()
await model.dispose()
