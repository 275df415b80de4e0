// A thread that runs the package's command for the clients of a socket, one after another, as command_client.py asks. Its models stay
// loaded, because hundreds of runs would take minutes to start. `workerData`: { socket, program: the command's file, words: its first
// arguments, folder: for a copy of it }.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

const { socket, program, words, folder } = workerData
const keeping = import.meta.resolve('./kept_models.mjs')

/** The command, but for where it takes models from; each import with another query runs it. */
const copy = join(folder, 'heed-cli.mjs')
const addressOf = name => (name === 'heed' ? keeping : import.meta.resolve(name))
writeFileSync(
  copy,
  readFileSync(program, 'utf8').replace(/ from "(heed[^"]*)";/g, (_, name) => ` from ${JSON.stringify(addressOf(name))};`),
)

let runs = 0

/** Resolves to its exit status, stdout and stderr. */
async function run(args) {
  const [stdout, stderr] = ['stdout', 'stderr'].map(name => {
    const stream = new PassThrough()
    Object.defineProperty(process, name, { value: stream, configurable: true })
    return stream
  })
  const written = Promise.all([text(stdout), text(stderr)])
  process.argv = [process.execPath, program, ...words, ...args]
  process.exitCode = undefined
  await import(`${pathToFileURL(copy)}?${++runs}`)
  const status = process.exitCode
  process.exitCode = undefined
  stdout.end()
  stderr.end()
  return [status, ...(await written)]
}

let last = Promise.resolve()

const server = createServer(async client => {
  const [line] = await once(createInterface({ input: client }), 'line')
  last = last.then(() => run(JSON.parse(line)))
  client.end(JSON.stringify(await last))
})
server.listen(socket, () => parentPort.postMessage('listening'))
