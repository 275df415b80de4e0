// In the frame of a live snippet: runs the code that the manual's page sends, and shows what it prints.
const most = 1500

/** A value in words, as a console would have it. */
function show(value) {
  if (typeof value === 'string') return value
  if (value instanceof Error) return `${value.code ? `${value.name} (${value.code})` : value.name}: ${value.message}`
  if (ArrayBuffer.isView(value))
    return `${value.constructor.name}(${value.length}) [${[...value.slice(0, 8)].map(shorter).join(', ')}${value.length > 8 ? ', …' : ''}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const text = JSON.stringify(
    value,
    (_, part) => (ArrayBuffer.isView(part) ? show(part) : typeof part === 'bigint' ? `${part}n` : part),
    2,
  )
  return text.length > most ? `${text.slice(0, most)} …` : text
}

const shorter = number => (Number.isInteger(number) ? number : number.toPrecision(3))

function print(kind, values) {
  const line = document.body.appendChild(document.createElement('pre'))
  line.className = kind
  line.textContent = values.map(show).join(' ')
  line.scrollIntoView({ block: 'end' })
}

for (const kind of ['log', 'info', 'warn', 'error']) {
  const original = console[kind]
  console[kind] = (...values) => {
    original.apply(console, values)
    print(kind, values)
  }
}
addEventListener('unhandledrejection', event => print('error', [event.reason]))

addEventListener('message', async ({ source, origin, data: code }) => {
  if (source !== parent || origin !== location.origin) return
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  try {
    await import(address)
  } catch (error) {
    print('error', [error])
  }
  parent.postMessage('ended', origin)
})
parent.postMessage('ready', location.origin)
