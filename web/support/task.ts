// Divides long work into tasks.

/** Resolves in another task: in between, the browser can paint, and answer what the user does. Unlike a timer, also without delay in a hidden page. */
export const nextTask = (): Promise<void> =>
  new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
