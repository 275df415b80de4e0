// A reporter for Node's test runner that yields a JSON line for each outermost test: {file, name, ms, passed, failed, skipped, error},
// with the numbers of tests in it, itself included.
const countsOf = ({ type, data }) => {
  const ran = data.skip === undefined && data.todo === undefined
  return type === 'test:fail' ? 'failed' : ran ? 'passed' : 'skipped'
}

/** What a failure says, with its causes: the runner wraps what the test threw. */
function inWords(error) {
  const texts = []
  for (let at = error; at && texts.length < 4; at = at.cause) {
    const text = String(at.stack ?? at.message ?? at)
    const end = [at.exitCode, at.signal].filter(value => value !== undefined && value !== null)  // of a file's process
    if (at.code !== 'ERR_TEST_FAILURE') texts.push(text)
    else if (end.length > 0) texts.push(`the process of the file ended with ${end.join(' and ')}`)
    else if (!at.cause) texts.push(String(at.message ?? text))
  }
  return texts.join('\ncaused by: ')
}

export default async function* reporter(events) {
  const inside = new Map()  // file → what its current outermost test has had so far
  for await (const event of events) {
    const { type, data } = event
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { file } = data
    const counts = inside.get(file) ?? { passed: 0, failed: 0, skipped: 0, errors: [] }
    inside.set(file, counts)
    const isSuite = data.details?.type === 'suite'
    if (!isSuite || type === 'test:fail') counts[countsOf(event)]++
    if (type === 'test:fail' && data.details.error?.failureType !== 'subtestsFailed') {
      counts.errors.push(`${data.name}\n${inWords(data.details.error)}`)
    }
    if (data.nesting > 0) continue
    inside.delete(file)
    const { errors, ...numbers } = counts
    yield `${JSON.stringify({ file, name: data.name, ms: data.details.duration_ms, ...numbers, error: errors.join('\n') })}\n`
  }
}
