// Part of pages that `npm start` serves while it builds: tells the user if the page waits for a module.
const events = new EventSource(new URL('heed-still-building', document.baseURI))
let line

events.onmessage = ({ data }) => {
  const { waiting, progress, done } = JSON.parse(data)
  if (done) events.close()
  if (waiting.length === 0) return line?.remove()
  if (!line?.isConnected) {
    line = document.createElement('p')
    line.id = 'heed-still-building'
    line.setAttribute('role', 'status')
    Object.assign(line.style, {
      position: 'fixed',
      insetInline: '0',
      bottom: '0',
      zIndex: '100',
      margin: '0',
      padding: '0.5rem 1rem',
      textAlign: 'center',
      background: 'CanvasText',
      color: 'Canvas',
      font: '1rem system-ui, sans-serif',
    })
    document.body.append(line)
  }
  line.textContent =
    `npm start is still building ${waiting.join(' and ')}, which this browser needs (${progress}). ` +
    'It is used as soon as it is there.'
}
