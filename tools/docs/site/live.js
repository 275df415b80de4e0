// A live snippet: its code can be edited, and a button runs it in a frame below.

/** Makes the code of a block live; `frame` is the element around it, `home` the address of the manual. */
export function makeLive(block, frame, home) {
  const code = block.querySelector('code')
  code.contentEditable = 'plaintext-only'
  code.spellcheck = false
  code.role = 'textbox'
  code.ariaMultiLine = 'true'
  code.ariaLabel = 'Code, which you can change'
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'run', textContent: 'Run' })
  frame.append(button)
  let output

  const end = () => {
    output.isRunning = false
    button.textContent = 'Run again'
  }
  const run = () => {
    output?.remove() // with the model that it has loaded
    output = Object.assign(document.createElement('iframe'), {
      className: 'output',
      title: 'Output',
      src: new URL('run.html', home),
      isRunning: true,
    })
    frame.after(output)
    button.textContent = 'Stop'
  }
  addEventListener('message', ({ source, data }) => {
    if (!output || source !== output.contentWindow) return
    if (data === 'ready') source.postMessage(code.textContent, location.origin)
    if (data === 'ended') end()
  })
  button.addEventListener('click', () => {
    if (!output?.isRunning) return run()
    output.remove()
    end()
  })
}
