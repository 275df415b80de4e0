// The result of a suite: the numbers of passed, failed and skipped tests, the slow ones, and the messages of failures.
import { warn } from '../running/steps.mjs'

/** So many characters of the beginning and of the end of a failure are printed once more, where logs that are cut still have them. */
const most = 500

export const noTests = { passed: 0, failed: 0, skipped: 0, tests: [], failures: [] }

/** One result of several. `tests` are {name, ms}, `failures` {name, file, output, failed}. */
export const sumOf = results =>
  results.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
      tests: [...sum.tests, ...(one.tests ?? [])],
      failures: [...sum.failures, ...(one.failures ?? [])],
    }),
    noTests,
  )

export const inWords = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`

/** A result of one failure. */
export const failure = (name, output) => ({ ...noTests, failed: 1, failures: [{ name, output, failed: 1 }] })

/** Prints the failures of `results`, suites' results by name, again, briefly. */
export function tellFailures(results) {
  for (const [suite, { failures }] of Object.entries(results)) {
    for (const { name, output } of failures) {
      const whole = output.trim()
      const short = whole.length > 2 * most ? `${whole.slice(0, most)}\n…\n${whole.slice(-most)}` : whole
      warn(`\nFAILED: ${suite}: ${name}\n  ${short.replaceAll('\n', '\n  ')}`)
    }
  }
}
