// A reporter for Node's test runner that yields one JSON object: {passed, failed, skipped}.
export default async function* counter(events) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for await (const { type, data } of events) {
    if (data?.details?.type === 'suite') continue
    if (type === 'test:fail') counts.failed++
    const ran = data?.skip === undefined && data?.todo === undefined
    if (type === 'test:pass') counts[ran ? 'passed' : 'skipped']++
  }
  yield JSON.stringify(counts)
}
