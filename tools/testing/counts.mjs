// Counts of passed, failed and skipped tests.
export const noTests = { passed: 0, failed: 0, skipped: 0 }

export const sumOf = counts => counts.reduce((sum, { passed, failed, skipped }) =>
  ({ passed: sum.passed + passed, failed: sum.failed + failed, skipped: sum.skipped + skipped }), noTests)

export const inWords = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`
