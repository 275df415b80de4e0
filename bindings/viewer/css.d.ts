// Style sheets as texts, which the build puts into the one file of the viewer.
declare module '*.css?inline' {
  const css: string
  export default css
}
