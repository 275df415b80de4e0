// What every long step shares: it says what it is doing and how long it took, keeps its output in a log file,
// and runs under a lock that the system drops by itself when its holder dies.
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const heartbeatSeconds = 30
const logTailLines = 40

const secondsSince = start => `${((performance.now() - start) / 1000).toFixed(1)} s`

/** Runs `body`, printing the title first, a line every half minute, and the time it took. */
export async function step(title, body) {
  const start = performance.now()
  console.log(`- ${title} ...`)
  const heartbeat = setInterval(() => console.log(`  ... ${title}: ${secondsSince(start)} so far`), heartbeatSeconds * 1000)
  try {
    const result = await body()
    console.log(`  ${title}: ${secondsSince(start)}`)
    return result
  } finally {
    clearInterval(heartbeat)
  }
}

/**
 * Runs a program. Its output goes to this terminal, or to the end of the file `log`, or is returned (`capture`).
 * Rejects, with the tail of the log, when it cannot start or does not end with 0, unless `check` is false. `name` is
 * what errors call it.
 */
export function execute(command, args, { cwd, env, log, capture = false, check = true, name = command } = {}) {
  return new Promise((resolve, reject) => {
    const [input, output] = log || capture ? ['ignore', 'pipe'] : ['inherit', 'inherit']
    const child = spawn(command, args, { cwd, env, stdio: [input, output, capture ? 'ignore' : output] })
    let stdout = ''
    if (capture) child.stdout.setEncoding('utf8').on('data', text => (stdout += text))
    if (log) {
      mkdirSync(dirname(log), { recursive: true })
      const record = text => appendFileSync(log, text)
      record(`\n$ ${command} ${args.join(' ')}\n`)
      child.stdout.on('data', record)
      child.stderr.on('data', record)
    }
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const status = code ?? signal
      if (status === 0 || !check) return resolve({ status, stdout })
      const tail = log ? `\n${readFileSync(log, 'utf8').split('\n').slice(-logTailLines).join('\n')}\n(all of it: ${log})` : ''
      reject(new Error(`${name} ended with ${status}${tail}`))
    })
  })
}

/** Holds the file `path` as an exclusive lock while `body` runs; waits for another holder. */
export async function withLock(path, body) {
  mkdirSync(dirname(path), { recursive: true })
  const holder = spawn('flock', [path, 'sh', '-c', 'echo held; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = setTimeout(() => console.log('- waiting for another set-up of the toolchain to end ...'), 1000)
  try {
    await new Promise((resolve, reject) => {
      holder.stdout.once('data', resolve)
      holder.once('error', reject)
      holder.once('close', code => reject(new Error(`flock ${path} ended with ${code}`)))
    })
    clearTimeout(waiting)
    return await body()
  } finally {
    clearTimeout(waiting)
    holder.stdin?.end()
  }
}
