// Types of the web platform, for projects with and without TypeScript's DOM library or @types/node, which declare some of them.

/** The instance type of a global class; `never` if the class is not declared. */
type Instance<Name extends string> = typeof globalThis extends { [name in Name]: { prototype: infer Type } } ? Type : never

export type WebUrl = Instance<'URL'>
export type WebBlob = Instance<'Blob'>
export type WebFile = Instance<'File'>
export type WebFileHandle = Instance<'FileSystemFileHandle'>
export type WebStream = Instance<'ReadableStream'>
export type WebMediaStream = Instance<'MediaStream'>
export type WebWritableStream = Instance<'WritableStream'>
export type WebRequest = Instance<'Request'>
export type WebResponse = Instance<'Response'>

/** Anything that a canvas can draw. */
export type WebDrawable =
  | Instance<'HTMLImageElement'>
  | Instance<'SVGImageElement'>
  | Instance<'HTMLVideoElement'>
  | Instance<'HTMLCanvasElement'>
  | Instance<'ImageBitmap'>
  | Instance<'OffscreenCanvas'>
  | Instance<'VideoFrame'>

export type WebAbortSignal = Instance<'AbortSignal'>
export type WebAbortController = Instance<'AbortController'>
