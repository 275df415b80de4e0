// Style sheets imported as strings, which the build inlines into the elements' single file.
declare module '*.css?inline' {
  const css: string
  export default css
}
