// Helpers for long steps: they report progress and timing, log output to a file, and hold a lock that the system releases
// when its last holder exits.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const heartbeatSeconds = 30
const logTailLines = 40

const secondsSince = start => `${((performance.now() - start) / 1000).toFixed(1)} s`

/** Runs `body`; prints the title first, a line every half minute, and the time it took. */
export async function step(title, body) {
  const start = performance.now()
  console.log(`- ${title} ...`)
  const beat = () => console.log(`  ... ${title}: ${secondsSince(start)} so far`)
  const heartbeat = setInterval(beat, heartbeatSeconds * 1000)
  try {
    const result = await body()
    console.log(`  ${title}: ${secondsSince(start)}`)
    return result
  } finally {
    clearInterval(heartbeat)
  }
}

/** The open lock file. Child processes inherit it: one that outlives this process holds the lock until it exits. */
let heldLock

/** Holds an exclusive lock on the file `path` while `body` runs; waits if it is taken. */
export async function withLock(path, body) {
  mkdirSync(dirname(path), { recursive: true })
  const lock = openSync(path, 'w')
  const say = () => console.log('- waiting for another set-up of the toolchain to end ...')
  const waiting = setTimeout(say, 1000)
  try {
    // flock(1) locks the open file that it inherits, so the lock remains when it exits.
    const locker = spawn('flock', ['3'], { stdio: ['ignore', 'inherit', 'inherit', lock] })
    const [code] = await once(locker, 'close')
    if (code !== 0) throw new Error(`flock exited with ${code}`)
    clearTimeout(waiting)
    heldLock = lock
    return await body()
  } finally {
    clearTimeout(waiting)
    heldLock = undefined
    closeSync(lock)
  }
}

const tailOf = log =>
  `\n${readFileSync(log, 'utf8').split('\n').slice(-logTailLines).join('\n')}\n(all of it: ${log})`

/**
 * Runs a program. Its output goes to the terminal, is appended to the file `log`, or, with `capture`, becomes `stdout` of the
 * result. Rejects if the program cannot start or, unless `check` is false, if its status is not 0, with the tail of the log.
 * `shown` is the command line for the log and for errors, if it differs.
 */
export function execute(command, args, options = {}) {
  const { cwd, env, log, capture = false, check = true, shown = [command, ...args] } = options
  const [input, output] = log || capture ? ['ignore', 'pipe'] : ['inherit', 'inherit']
  const stdio = [input, output, capture ? 'ignore' : output, ...(heldLock === undefined ? [] : [heldLock])]
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio })
    let stdout = ''
    if (capture) child.stdout.setEncoding('utf8').on('data', text => (stdout += text))
    if (log) {
      mkdirSync(dirname(log), { recursive: true })
      const record = text => appendFileSync(log, text)
      record(`\n$ ${shown.join(' ')}\n`)
      child.stdout.on('data', record)
      child.stderr.on('data', record)
    }
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const status = code ?? signal
      if (status === 0 || !check) return resolve({ status, stdout })
      reject(new Error(`${shown[0]} ended with ${status}${log ? tailOf(log) : ''}`))
    })
  })
}
