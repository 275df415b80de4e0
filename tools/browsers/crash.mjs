/** Thrown if the browser exits unexpectedly: its pages are gone, and what happened in them is unknown. */
export class BrowserCrash extends Error {}
