// Third-party programs, which start programs of their own: each runs in a process group, all of which is killed when it is
// stopped or when this process ends in any way.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const mostOutput = 200_000

// Node's test runner controls its child processes by environment variables, which programs started here must not inherit.
const { NODE_TEST_CONTEXT, NODE_OPTIONS, FORCE_COLOR, NO_COLOR, ...inherited } = process.env

/** Keeps build tools from prompting, opening browsers and sending telemetry. */
const quiet = {
  BROWSER: 'none',
  CI: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
}

const colors = /\x1b\[[\d;?]*[A-Za-z]/g

/** Kills a process group when its own standard input ends, as it does when this process dies. */
const watchdog = 'read -r _; kill -KILL "-$1" 2>/dev/null'

/**
 * Starts a program; returns {output(), ended, within(promise, seconds, what), stop()}. `ended` resolves to its exit code, or
 * to the signal that killed it.
 */
export function startGroup(command, args, { cwd, env = {} }) {
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, ...quiet, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const plain = () => output.replace(colors, '')
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output = (output + text).slice(-mostOutput)
    })
  }
  const guard = spawn('sh', ['-c', watchdog, 'sh', child.pid], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.stdin.on('error', () => {})
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? signal))
  })
  ended.catch(() => {})
  const shown = [command, ...args].join(' ')

  /** Kills the rest of the group, even if its first process has exited. */
  async function stop() {
    guard.stdin.end()
    if (guard.exitCode === null) await once(guard, 'exit')
    await ended.catch(() => {})
  }

  return {
    output: plain,
    ended,
    stop,
    /** Resolves to the promise's result; rejects after `seconds`, naming `what` it waited for. */
    async within(promise, seconds, what) {
      let timer
      const late = new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`${shown}: waited ${seconds} s for ${what}\n${plain()}`))
        timer = setTimeout(fail, seconds * 1000)
      })
      try {
        return await Promise.race([promise, late])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Runs a program until it exits; resolves to {status, output}. */
export async function runGroup(command, args, { seconds = 300, ...options } = {}) {
  const program = startGroup(command, args, options)
  try {
    const status = await program.within(program.ended, seconds, 'its end')
    return { status, output: program.output() }
  } finally {
    await program.stop()
  }
}
