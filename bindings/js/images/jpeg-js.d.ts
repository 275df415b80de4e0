// The decoder of jpeg-js alone; the package's own types are those of its encoder, too.
declare module 'jpeg-js/lib/decoder.js' {
  const decode: typeof import('jpeg-js').decode
  export default decode
}
