// Runs a failed test of a browser or a network once more, alone; also a file whose process was ended by a signal, because that is
// Node's own failure: code under test can only throw. One such failure is known, V8's "Check failed: jit_page.has_value()" during
// compilation (https://github.com/nodejs/node/issues/64500, open). A test that then passes counts as passed but unsteady: the run
// ends with a list of these, which are to be fixed, and three of them fail it.
import { say, step } from '../running/steps.mjs'

const most = 2

/**
 * Runs the failures of `suites` again and changes `results` where they pass. Resolves to the unsteady tests, {suite, name,
 * outputs}. If there are more failures than may be unsteady, the run fails in any case, and nothing is run again.
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

/** Prints the unsteady tests with their output. */
export function tellUnsteady(unsteady) {
  if (unsteady.length === 0) return
  say(`\nUnsteady, and to be mended: ${unsteady.length} failed, and passed when run again alone`)
  for (const { suite, name, outputs } of unsteady)
    say(`${suite}: ${name}\n  first: ${outputs[0].replaceAll('\n', '\n    ')}\n  again: ${outputs[1]}`)
  if (tooMany(unsteady)) say(`More than ${most} unsteady tests fail the run.`)
}
