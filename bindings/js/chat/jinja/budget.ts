// Limits the work of a template, which may come from anyone and must end in any case.
//
// The operations on texts, lists, dicts and numbers charge for their work in advance, so that no filter or method can forget to.
// The remaining budget is in variables of this module: rendering is synchronous, so there is only one render at a time. Work
// outside of a render, on a caller's data, is free.
//
// Abort signals are not checked: no event arrives in a thread while it renders. Templates of files run in a worker
// (../../prompting/tasks.ts), which is terminated instead. For callers that render in their own thread, the limits of steps and
// time keep the wait short.
import { TemplateError } from './error.js'

const mostSteps = 400_000
const mostBytes = 100e6
const mostMilliseconds = 2000
const mostDepth = 120
const stepsPerLook = 2048

/** The budget of a prompt, for all attempts to render it. Usually the steps run out first; the time only on very slow machines. */
export class Budget {
  steps: number
  bytes: number
  readonly deadline: number

  /** A longer input allows more steps, memory and time. */
  constructor(inputLength: number) {
    this.steps = mostSteps + 8 * Math.ceil(inputLength)
    this.bytes = mostBytes + 64 * Math.ceil(inputLength)
    this.deadline = performance.now() + mostMilliseconds + inputLength / 500
  }
}

/** The limit outside of a render, restored at each check of the clock: the largest number that engines store without an object. */
const most = 2 ** 30 - 1
const unlimited = { steps: most, bytes: most, deadline: Infinity }
let { steps, bytes, deadline } = unlimited
/** The number of steps at which to look at the clock. */
let nextLook = 0
let depth = 0

function start(budget: Budget): void {
  ;({ steps, bytes, deadline } = budget)
  nextLook = steps - 1
  depth = 0
}

/** Runs a function at the expense of a budget. */
export function charged<Result>(budget: Budget, run: () => Result): Result {
  start(budget)
  try {
    return run()
  } finally {
    Object.assign(budget, { steps, bytes })
    start(unlimited)
  }
}

function stop(why: string): never {
  steps = -1 // also ends later attempts
  throw new TemplateError('SecurityError', `the template ${why}: it was stopped`)
}

/**
 * Charges for operations. Throws a `SecurityError` if steps, memory or time have run out, as do all functions below. A cost that is
 * not a finite number from 0, such as the difference of two infinite numbers, exceeds any budget.
 */
export function spend(cost = 1): void {
  steps -= cost
  if (!(cost >= 0 && steps > nextLook)) look(cost)
}

function look(cost: number): void {
  if (deadline === Infinity) return start(unlimited)
  if (!(cost >= 0 && steps >= 0)) stop('takes too many steps')
  if (performance.now() > deadline) stop('takes too long')
  nextLook = Math.max(0, steps - stepsPerLook)
}

/** Charges for memory. Freed memory is not given back: this limits the sum of all allocations. */
function hold(size: number): void {
  bytes -= size
  if (!(bytes >= 0) && deadline < Infinity) stop('takes too much memory')
}

/** Charges for looking at characters. A shift is faster than a division, but is wrong for the largest computed lengths. */
export const read = (length: number) => spend(1 + (length < most ? length >> 4 : length / 16))

/** Charges for characters that are copied. */
export function copy(length: number): void {
  read(length)
  hold(2 * length)
}

/** Charges for items of lists that are looked at or copied. */
export function list(count: number): void {
  spend(count)
  hold(16 * count)
}

/** Charges for objects: values, entries of dicts. */
export function make(count: number): void {
  spend(count)
  hold(100 * count)
}

/** Charges for a search. JavaScript's search takes linear time, except for long wanted texts that repeat themselves. */
export const search = (length: number, wanted: number) =>
  spend(wanted > length ? 1 : Math.ceil((1 + length / 16) * (1 + wanted / 128)))

/** Runs a function that may be recursive. */
export function nested<Result>(run: () => Result): Result {
  if (++depth > mostDepth) stop('nests too deeply')
  try {
    return run()
  } finally {
    depth--
  }
}
