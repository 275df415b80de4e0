// A reporter for Node's test runner that yields a JSON line for each outermost test: {file, name, ms, passed, failed, skipped,
// error, signal}, with the numbers of tests in it, itself included. The error of a file whose process has died includes its last
// output; `signal` is the signal that ended it.
const lastCharacters = 4000

const countsOf = ({ type, data }) => {
  const ran = data.skip === undefined && data.todo === undefined
  return type === 'test:fail' ? 'failed' : ran ? 'passed' : 'skipped'
}

/** Whether a failure means that a file's process died, with an exit code or a signal. */
const hasEnded = ({ exitCode, signal }) => Boolean(exitCode ?? signal)

/** The message of a failure and its causes: the runner wraps the error that the test threw. */
function inWords(error) {
  const texts = []
  for (let at = error; at && texts.length < 4; at = at.cause) {
    const text = String(at.stack ?? at.message ?? at)
    if (at.code !== 'ERR_TEST_FAILURE') texts.push(text)
    else if (hasEnded(at)) texts.push(`the process of the file ended with ${at.signal ?? at.exitCode}`)
    else if (!at.cause) texts.push(String(at.message ?? text))
  }
  return texts.join('\ncaused by: ')
}

export default async function* reporter(events) {
  const inside = new Map() // file → its counts since its last outermost test
  const written = new Map() // file → the last lines that its process wrote as errors
  for await (const event of events) {
    const { type, data } = event
    if (type === 'test:stderr') written.set(data.file, ((written.get(data.file) ?? '') + data.message).slice(-lastCharacters))
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { file } = data
    const counts = inside.get(file) ?? { passed: 0, failed: 0, skipped: 0, errors: [], signal: undefined }
    inside.set(file, counts)
    const isSuite = data.details?.type === 'suite'
    if (!isSuite || type === 'test:fail') counts[countsOf(event)]++
    if (type === 'test:fail' && data.details.error?.failureType !== 'subtestsFailed') {
      const { error } = data.details
      const last = error && hasEnded(error) ? [written.get(file)] : []
      counts.signal = error?.signal ?? undefined
      counts.errors.push([data.name, inWords(error), ...last].filter(Boolean).join('\n'))
    }
    if (data.nesting > 0) continue
    inside.delete(file)
    const { errors, ...numbers } = counts
    yield `${JSON.stringify({ file, name: data.name, ms: data.details.duration_ms, ...numbers, error: errors.join('\n') })}\n`
  }
}
