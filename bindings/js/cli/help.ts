// What the commands are for, by example.
const sampling = `
Sampling: -n, --max-tokens N   --temperature N   --top-k N   --top-p N   --min-p N   --seed N   --stop TEXT (repeatable)
          --repetition-penalty N   --frequency-penalty N   --presence-penalty N   --penalty-window N   --logit-bias ID=BIAS`
const loading = `
Loading:  --threads N   --context N   --kv f32|f16|int16|int8`

export const help = `heed: transformer language models, in Node

  npx heed chat model.gguf                                  a conversation
  npx heed chat https://example.com/model.gguf              with a model from an address
  echo 'Why is the sky blue?' | npx heed chat model.gguf    one line is one message
  npx heed run model.gguf -p 'Once upon a time' -n 50       goes on with a text
  npx heed embed model.gguf -p 'a text' -p 'another one'    a vector each, as JSON
  npx heed info model.gguf                                  what the model is and can do
  npx heed render model.gguf conversation.json              the prompt that the model is given

npx heed COMMAND --help tells its options; npx heed --version the version.
`

export const chatCommands = `
  /help           this list
  /system TEXT    what the model is to be; without a text, none
  /think on|off   whether it reasons first; auto: as its template does
  /save FILE      writes the conversation, as JSON
  /load FILE      goes on with one that was saved
  /clear          begins anew; the system message stays
  /tokens         how full the context is
  /exit           ends it, as Ctrl-D does
  //...           a message that begins with a slash

Ctrl-C stops an answer.
`

const commands: Readonly<Record<string, string>> = {
  chat: `heed chat MODEL: a conversation with a model, a GGUF file or its address

  npx heed chat model.gguf
  npx heed chat model.gguf --system 'Answer in French.' --no-think
  npx heed chat model.gguf --load conversation.json
  npx heed chat base.gguf --template chatml.jinja           for a model without a template
  npx heed chat model.gguf < questions.txt > answers.txt    one line is one message

--system TEXT   --load FILE   --template FILE   --think   --no-think${sampling}${loading}

In the conversation:
${chatCommands}`,
  run: `heed run MODEL: goes on with a text, from -p or stdin

  npx heed run model.gguf -p 'Once upon a time'
  npx heed run model.gguf -p 'Once upon a time' -n 50 --temperature 0
  npx heed run model.gguf < prompt.txt > text.txt

-p, --prompt TEXT   --ignore-end   --parse-special${sampling}${loading}
`,
  embed: `heed embed MODEL: vectors of texts, from -p or, a line each, from stdin

  npx heed embed bert.gguf -p 'a text' -p 'another one'
  npx heed embed bert.gguf --normalise --pooling mean < texts.txt > vectors.jsonl
  npx heed embed bert.gguf -p 'a text' --out vector.f32     little-endian

-p, --prompt TEXT   --tokens ID,...   --pooling mean|cls|last|none   --dimensions N   --normalise
--out FILE${loading}
`,
  info: `heed info MODEL: what a model is and can do, as JSON

  npx heed info model.gguf
  npx heed info model.gguf | jq .chat.supports
${loading.slice(1)}
`,
  render: `heed render MODEL [FILE]: the prompt that a conversation becomes, from a file or stdin

  npx heed render model.gguf conversation.json
  echo '[{"role": "user", "content": "Hi"}]' | npx heed render model.gguf
  npx heed render model.gguf conversation.json --ids        as token ids, separated by commas
  npx heed render model.gguf conversation.json --json       in parts: what the template wrote is a control

A conversation is a list of messages, or { "messages": [...], "tools": [...] }. On a terminal, what the template wrote is coloured.

--ids   --json   --think   --no-think   --no-generation-prompt   --continue-final   --now DATE   --template FILE${loading}
`,
}

export const helpOf = (command: string): string => commands[command]!
