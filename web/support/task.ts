// Divides long work into tasks.

/** Resolves in another task: in between, the browser can paint, and answer what the user does. */
export const nextTask = (): Promise<void> => new Promise(resolve => { setTimeout(resolve) })
