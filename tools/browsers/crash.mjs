/** The browser has ended by itself: what happened in its pages is not known, and none of them can be used. */
export class BrowserCrash extends Error {}
