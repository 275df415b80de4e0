// Reports steps and their progress: in one line of a terminal, which all running steps share; in a log, one line when a step
// begins, another every half minute, and one when it ends.
const heartbeatMs = 30_000
const redrawMs = 100

const terminal = process.stdout.isTTY ? process.stdout : undefined
/** The running steps: {title, start, progress}. */
const running = new Set()

let drawn = false
let redraw

const secondsSince = start => `${((performance.now() - start) / 1000).toFixed(1)} s`

/** A step and its progress, in words. */
const inWords = ({ title, progress }) => (progress ? `${title} ${progress}` : title)

function draw() {
  redraw = undefined
  const text = [...running].map(inWords).join(' · ')
  terminal.write(`\r\x1b[K${text.slice(0, terminal.columns - 1)}`)
  drawn = true
}

/** Draws the line soon. The timer keeps no process alive. */
const drawSoon = () => {
  if (terminal) redraw ??= setTimeout(draw, redrawMs).unref()
}

function erase() {
  if (drawn) terminal.write('\r\x1b[K')
  drawn = false
}

/** Prints a line above the line of the steps. */
export function say(text) {
  erase()
  console.log(text)
  if (running.size > 0) drawSoon()
}

/** The same to standard error. */
export function warn(text) {
  erase()
  console.error(text)
  if (running.size > 0) drawSoon()
}

/** Runs `body(report)` and prints the time it took. `report(text)` reports progress, for example `12/23` or `40 %`. */
export async function step(title, body) {
  const current = { title, progress: '', start: performance.now() }
  running.add(current)
  if (terminal) drawSoon()
  else console.log(`- ${title} ...`)
  const beat = () => console.log(`  ... ${inWords(current)}: ${secondsSince(current.start)} so far`)
  const heartbeat = terminal ? undefined : setInterval(beat, heartbeatMs)
  const end = () => {
    clearInterval(heartbeat)
    running.delete(current)
    if (running.size === 0) {
      clearTimeout(redraw)
      redraw = undefined
      erase()
    }
  }
  try {
    const result = await body(progress => {
      current.progress = progress
      drawSoon()
    })
    end()
    say(`  ${title}: ${secondsSince(current.start)}`)
    return result
  } finally {
    end()
  }
}
