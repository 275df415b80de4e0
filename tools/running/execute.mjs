// Runs a program to its end.
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { heldLocks } from './lock.mjs'

const logTailLines = 40

const running = new Set()

/** Asks all programs that run to end. */
export function stopPrograms() {
  for (const child of running) child.kill()
}

const tailOf = log =>
  `\n${readFileSync(log, 'utf8').split('\n').slice(-logTailLines).join('\n')}\n(all of it: ${log})`

/**
 * Runs a program. Its output goes to the terminal, is appended to the file `log`, or, with `capture`, becomes `stdout` of the
 * result. With `log`, `onLine` is called for each line. Rejects if the program cannot start or, unless `check` is false, if its
 * status is not 0, with the tail of the log. `shown` is the command line for the log and for errors, if it differs.
 */
export function execute(command, args, options = {}) {
  const { cwd, env, log, onLine, capture = false, check = true, shown = [command, ...args] } = options
  const [input, output] = log || capture ? ['ignore', 'pipe'] : ['inherit', 'inherit']
  const stdio = [input, output, capture ? 'ignore' : output, ...heldLocks()]
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio })
    running.add(child)
    let stdout = ''
    if (capture) child.stdout.setEncoding('utf8').on('data', text => (stdout += text))
    if (log) {
      mkdirSync(dirname(log), { recursive: true })
      const record = text => appendFileSync(log, text)
      record(`\n$ ${shown.join(' ')}\n`)
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', record)
        if (onLine) createInterface({ input: stream }).on('line', onLine)
      }
    }
    child.once('error', reject)
    child.once('close', (code, signal) => {
      running.delete(child)
      const status = code ?? signal
      if (status === 0 || !check) return resolve({ status, stdout })
      reject(new Error(`${shown[0]} ended with ${status}${log ? tailOf(log) : ''}`))
    })
  })
}
