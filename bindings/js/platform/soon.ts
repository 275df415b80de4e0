/** Resolves once the promise has settled, or after `patienceMs` milliseconds. */
export async function soon(event: Promise<unknown>, patienceMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, patienceMs)
  })
  await Promise.race([event.catch(() => {}), late])
  clearTimeout(timer!)
}
