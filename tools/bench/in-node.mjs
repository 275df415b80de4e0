// Runs a function of a benchmark's script in this process: node in-node.mjs SCRIPT NAME ARGUMENT. Prints {value} or {error} as JSON.
const [script, name, argument] = process.argv.slice(2)

try {
  const { [name]: run } = await import(`./site/${script}`)
  console.log(JSON.stringify({ value: await run(JSON.parse(argument)) }))
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }))
}
process.exit() // whatever the model's threads do
