// Divides long work into tasks.

/**
 * Resolves in another task, so that the browser can paint and handle events in between. Unlike a timer, it is not delayed in a
 * hidden page.
 */
export const nextTask = (): Promise<void> =>
  new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
