// Runs a program until it ends.
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { heldLocks } from './lock.mjs'

const logTailLines = 40

const running = new Set()

/** Asks a program and everything that it has started to end: CMake would leave Ninja behind, and Ninja its compilers. */
function stop({ child, isGroup }) {
  if (!isGroup) return child.kill()
  try {
    process.kill(-child.pid)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error // it has just ended
  }
}

/** Asks all running programs to end. */
export function stopPrograms() {
  for (const program of running) stop(program)
}

/** A program with a log is a process group of its own, which a terminal's Ctrl+C does not reach. */
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }
let isListening = false

function listen() {
  if (isListening) return
  isListening = true
  for (const [signal, number] of Object.entries(signals)) {
    process.once(signal, () => {
      stopPrograms()
      process.exit(128 + number)
    })
  }
}

const tailOf = log => `\n${readFileSync(log, 'utf8').split('\n').slice(-logTailLines).join('\n')}\n(all of it: ${log})`

/**
 * Runs a program. Its output goes to the terminal, is appended to the file `log`, or, with `capture`, becomes `stdout` of the
 * result. With `log`, `onLine` is called for each line. Rejects if the program cannot start or, unless `check` is false, if its
 * status is not 0, with the tail of the log. `shown` is the command line for the log and for errors, if it differs. A program with
 * a log that prints nothing for `silenceMs` is asked to end; its status is `silent`.
 */
export function execute(command, args, options = {}) {
  const { cwd, env, log, onLine, capture = false, check = true, shown = [command, ...args], silenceMs } = options
  const [input, output] = log || capture ? ['ignore', 'pipe'] : ['inherit', 'inherit']
  const stdio = [input, output, capture ? 'ignore' : output, ...heldLocks()]
  return new Promise((resolve, reject) => {
    const isGroup = Boolean(log || capture)
    const child = spawn(command, args, { cwd, env, stdio, detached: isGroup })
    const program = { child, isGroup }
    let isSilent = false
    running.add(program)
    listen()
    let stdout = ''
    if (capture) child.stdout.setEncoding('utf8').on('data', text => (stdout += text))
    if (log) {
      mkdirSync(dirname(log), { recursive: true })
      const record = text => appendFileSync(log, text)
      record(`\n$ ${shown.join(' ')}\n`)
      const watch =
        silenceMs &&
        setTimeout(() => {
          isSilent = true
          stop(program)
        }, silenceMs)
      child.once('close', () => clearTimeout(watch))
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', record)
        if (watch) stream.on('data', () => watch.refresh())
        if (onLine) createInterface({ input: stream }).on('line', onLine)
      }
    }
    child.once('error', error => {
      running.delete(program)
      reject(error)
    })
    child.once('close', (code, signal) => {
      if (!running.delete(program)) return // it could not start
      const status = isSilent ? 'silent' : (code ?? signal)
      if (status === 0 || !check) return resolve({ status, stdout })
      reject(new Error(`${shown[0]} ended with ${status}${log ? tailOf(log) : ''}`))
    })
  })
}
