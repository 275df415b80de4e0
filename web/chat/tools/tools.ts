// The tools that the page offers a model: harmless ones, which access nothing outside the page.
import type { Tool } from 'heed'
import { calculate } from './arithmetic.js'
import { zoneNamed } from './zones.js'

interface PageTool {
  /** Its name in the list of tools. */
  readonly label: string
  readonly tool: Tool & { readonly name: string }
}

/** A uniformly distributed integer from 1 to `sides`. */
function roll(sides: number): number {
  const limit = 2 ** 32 - (2 ** 32 % sides)
  const box = new Uint32Array(1)
  do crypto.getRandomValues(box)
  while (box[0]! >= limit)
  return 1 + (box[0]! % sides)
}

export const pageTools: readonly PageTool[] = [
  {
    label: 'Roll dice',
    tool: {
      name: 'roll_dice',
      strict: true,
      description: 'Rolls dice and returns what each one shows.',
      parameters: {
        type: 'object',
        properties: {
          count: { type: 'integer', description: 'How many dice, from 1 to 100. Default: 1.' },
          sides: { type: 'integer', description: 'How many sides each has, from 2 to 1000. Default: 6.' },
        },
      },
      execute: ({ count = 1, sides = 6 }) => {
        const within = (name: string, value: unknown, least: number, most: number) => {
          if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
          throw new Error(`${name}: expected a whole number from ${least} to ${most}`)
        }
        const each = within('sides', sides, 2, 1000)
        const rolls = Array.from({ length: within('count', count, 1, 100) }, () => roll(each))
        return { rolls, total: rolls.reduce((sum, value) => sum + value, 0) }
      },
    },
  },
  {
    label: 'Get the time',
    tool: {
      name: 'current_time',
      strict: true,
      description: 'Returns the current date and time.',
      parameters: {
        type: 'object',
        properties: { time_zone: { type: 'string', description: 'A time zone such as Europe/Zurich. Default: that of the user.' } },
      },
      execute: ({ time_zone: timeZone }) => {
        const now = new Date()
        const format = new Intl.DateTimeFormat('en-GB', {
          timeZone: timeZone === undefined ? undefined : zoneNamed(timeZone as string),
          dateStyle: 'full',
          timeStyle: 'long',
        })
        return { time: format.format(now), time_zone: format.resolvedOptions().timeZone }
      },
    },
  },
  {
    label: 'Calculate',
    tool: {
      name: 'calculate',
      strict: true,
      description: 'Calculates the value of an expression with + - * / % ^ and brackets.',
      parameters: {
        type: 'object',
        properties: { expression: { type: 'string', description: 'For example, (2 + 3) * 4.' } },
        required: ['expression'],
      },
      execute: ({ expression }) => calculate(expression as string),
    },
  },
]
