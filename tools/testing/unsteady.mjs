// A test of a browser or a network that fails is run once more, alone, and so is a file whose process a signal has ended, because that is
// Node's own failure: what it runs, WebAssembly and JavaScript, can only throw. One is known, V8's "Check failed: jit_page.has_value()" as
// it compiles (https://github.com/nodejs/node/issues/64500, open). If it passes then, it counts as passed, and as unsteady: the run
// ends with a list of those, which are to be mended, and three of them fail it.
import { say, step } from '../running/steps.mjs'

const most = 2

/**
 * Runs the failures of `suites` again and changes `results` where they pass. Resolves to the unsteady tests, {suite, name, outputs}. More
 * failures than may be unsteady fail the run in any case, and are not run again.
 */
export async function runFailuresAgain(suites, results) {
  const unsteady = []
  const mayPass = (suite, { again, signal }) => again && (suites[suite]?.mayFailOnce || signal)
  const failures = Object.entries(results).flatMap(([suite, result]) => result.failures.filter(failure => mayPass(suite, failure)))
  if (failures.length > most) {
    say(`\n${failures.length} tests that may be unsteady have failed, more than ${most}: none is run again`)
    return unsteady
  }
  for (const [suite, result] of Object.entries(results)) {
    const steady = []
    for (const failure of result.failures) {
      const second = mayPass(suite, failure) && (await step(`run again, alone: ${failure.name}`, failure.again))
      if (!second?.passed) {
        steady.push(second ? { ...failure, output: `${failure.output}\n\nand again:\n${second.output}` } : failure)
        continue
      }
      result.passed += failure.failed
      result.failed -= failure.failed
      unsteady.push({ suite, name: failure.name, outputs: [failure.output, 'passed'] })
    }
    result.failures = steady
  }
  return unsteady
}

export const tooMany = unsteady => unsteady.length > most

/** Prints the unsteady tests with what they said. */
export function tellUnsteady(unsteady) {
  if (unsteady.length === 0) return
  say(`\nUnsteady, and to be mended: ${unsteady.length} failed, and passed when run again alone`)
  for (const { suite, name, outputs } of unsteady)
    say(`${suite}: ${name}\n  first: ${outputs[0].replaceAll('\n', '\n    ')}\n  again: ${outputs[1]}`)
  if (tooMany(unsteady)) say(`More than ${most} unsteady tests fail the run.`)
}
