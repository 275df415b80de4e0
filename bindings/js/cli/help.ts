// The help texts of the commands, with examples.
import { commandOptions } from './options.generated.js'

export const help = `heed: runs transformer language models in Node

  npx heed chat                                             starts a conversation with the small bundled model
  npx heed chat model.gguf                                  starts one with a model of yours
  npx heed chat https://example.com/model.gguf              starts one with a model from a URL
  npx heed chat hf:OWNER/REPOSITORY:Q4_K_M                  starts one with a model from Hugging Face
  echo 'Why is the sky blue?' | npx heed chat model.gguf    sends each line as a message
  npx heed run -p 'Once upon a time'                        continues a text, with the bundled model as well
  npx heed run model.gguf -p 'Once upon a time' -n 50
  npx heed embed model.gguf -p 'a text' -p 'another one'    prints one vector per text, as JSON
  npx heed transcribe ggml-base.bin talk.wav                prints what is said in a sound
  npx heed info model.gguf                                  prints what the model is and can do
  npx heed render model.gguf conversation.json              prints the prompt for a conversation
  npx heed lab sweep model.gguf --plan plan.json            looks inside a model: tables and files of values
  npx heed serve model.gguf                                 answers OpenAI's API, to programs on this machine
  npx heed download hf:OWNER/REPOSITORY:Q4_K_M              stores a model; an interrupted download goes on
  npx heed list                                             shows the stored models
  npx heed rm hf:OWNER/REPOSITORY:Q4_K_M                    deletes a stored model

npx heed COMMAND --help lists its options; npx heed --version shows the version.
`

export const chatCommands = `
  /help           shows this list
  /system TEXT    sets the system message; without a text, removes it
  /image FILE     adds an image to the next message
  /audio FILE     adds a sound to the next message
  /think VALUE    on or off: whether the model reasons first; auto: its template decides
  /save FILE      saves the conversation as JSON
  /load FILE      continues a saved conversation
  /clear          starts over, but keeps the system message
  /tokens         shows how full the context is
  /exit           quits, like Ctrl-D
  //...           sends a message that begins with a slash

Ctrl-C stops the current answer.
`

const commands: Readonly<Record<string, string>> = {
  chat: `heed chat [MODEL]: starts a conversation with a GGUF file, a URL or hf:OWNER/REPOSITORY:Q4_K_M, or else with the bundled model

  npx heed chat                                             with the small bundled model
  npx heed chat model.gguf
  npx heed chat model.gguf --system 'Answer in French.' --no-think
  npx heed chat model.gguf --load conversation.json
  npx heed chat base.gguf --template chatml.jinja           for a model without a template of its own
  npx heed chat model.gguf < questions.txt > answers.txt    sends each line as a message
  npx heed chat vlm.gguf --mmproj mmproj.gguf --image fox.png    asks about an image, which goes with the first message
  npx heed chat listener.gguf --mmproj mmproj-audio.gguf --audio talk.wav    asks about a sound

${commandOptions.chat.help}

In the conversation:
${chatCommands}`,
  run: `heed run [MODEL]: continues a text from -p or stdin; without a model, with the bundled one

  npx heed run -p 'Once upon a time'
  npx heed run model.gguf -p 'Once upon a time' -n 50 --temperature 0
  npx heed run model.gguf -p 'A fox in JSON: ' --json-schema fox.json
  npx heed run model.gguf < prompt.txt > text.txt
  npx heed run big.gguf --draft small.gguf -p 'Once'        faster with drafts of another file; heads in the model's own file draft anyway
  npx heed run vlm.gguf --mmproj mmproj.gguf --image fox.png -p 'Here <image> you see'    <image> stands for the next image
  npx heed run listener.gguf --mmproj mmproj-audio.gguf --audio talk.wav -p 'Here <audio> you hear'    and <audio> for the next sound

${commandOptions.run.help}
`,
  embed: `heed embed MODEL: prints the vectors of texts from -p, or of each line of stdin

  npx heed embed bert.gguf -p 'a text' -p 'another one'
  npx heed embed bert.gguf --normalize --pooling mean < texts.txt > vectors.jsonl
  npx heed embed bert.gguf -p 'a text' --out vector.f32     as little-endian 32-bit floats

${commandOptions.embed.help}
`,
  transcribe: `heed transcribe MODEL SOUND: prints what is said in a WAV file, with a Whisper model in whisper.cpp's format

  npx heed transcribe ggml-base.bin talk.wav
  npx heed transcribe ggml-base.bin talk.wav --language de --task translate
  npx heed transcribe ggml-base.bin talk.wav --srt > talk.srt
  npx heed transcribe ggml-base.bin talk.wav --words --json | jq '.segments[].words'

${commandOptions.transcribe.help}
`,
  info: `heed info [MODEL]: prints what a model is and can do, as JSON; without one, of the bundled one

  npx heed info model.gguf
  npx heed info model.gguf | jq .chat.supports

${commandOptions.info.help}
`,
  render: `heed render [MODEL [FILE]]: prints the prompt for a conversation from a file or stdin

  npx heed render model.gguf conversation.json
  echo '[{"role": "user", "content": "Hi"}]' | npx heed render model.gguf
  npx heed render model.gguf conversation.json --ids        as token ids, separated by commas
  npx heed render model.gguf conversation.json --json       as parts: text from the template is { control }

A conversation is a list of messages, or { "messages": [...], "tools": [...] }. In a terminal, text from the template is colored.

${commandOptions.render.help}
`,
  lab: `heed lab COMMAND MODEL: what is inside a model, as JSON on stdout and values in files

  npx heed lab trace model.gguf -p TEXT --points resid.5,attn.3.weights --out values.f32
  npx heed lab sweep model.gguf --plan plan.json            patches, ablates and follows paths: tables of a metric
  npx heed lab attribute model.gguf -p TEXT --token 42 --against 7
  npx heed lab features model.gguf -p TEXT --sae FOLDER --top 5     features by a sparse autoencoder or a transcoder
  npx heed lab steer model.gguf -p TEXT --sae FOLDER --plan plan.json --out logits.f32
  npx heed lab effect model.gguf --sae FOLDER --feature 1234 --top 8
  npx heed lab examples model.gguf --sae FOLDER --texts texts.json --features 1,2 --top 6
  npx heed lab collect model.gguf --texts texts.json --points resid.5 --positions last --out states.npy
  npx heed lab probe model.gguf --texts texts.json --point resid.5 --positions last --l2 1
  npx heed lab compare fine.gguf coarse.gguf -p TEXT

-p, --prompt TEXT   --tokens ID,...   --points POINT,...   --positions all|last|N,...   --texts FILE (JSON)   --plan FILE (JSON)   --out FILE
--sae FOLDER   --hook HOOK   --hook-out HOOK   --norm-scale N   --type float32|float16   --statistics   --standardize yes
${commandOptions.lab.help}
`,
  serve: `heed serve [MODEL]: answers OpenAI's API at http://127.0.0.1:8484/v1, to programs on this machine; without a model, with the bundled one

  npx heed serve                                            with the small bundled model
  npx heed serve model.gguf --port 9000
  npx heed serve hf:OWNER/REPOSITORY:Q4_K_M --key "$KEY"    stores the model; requests need the key
  npx heed serve model.gguf --cors http://localhost:5173    pages of this origin may ask as well
  npx heed serve vlm.gguf --mmproj mmproj.gguf              for messages with images, or with sounds

Chat completions, completions, embeddings, models and responses, in streams, too; with a Whisper model, transcriptions. HEED_API_KEY may have the
key. Ctrl-C ends it.

${commandOptions.serve.help}
`,
  download: `heed download SOURCE: stores a model; one that was interrupted goes on where it stopped

  npx heed download hf:OWNER/REPOSITORY:Q4_K_M
  npx heed download hf:OWNER/REPOSITORY/model.gguf --revision main
  npx heed download https://example.com/model.gguf
  npx heed download hf:OWNER/REPOSITORY:Q4_K_M --reload     asks first whether the server has another file by now

Models are in the folder HEED_MODELS or in the user's cache. Ctrl-C pauses.

${commandOptions.download.help}
`,
  list: `heed list: shows the stored models, most recently used first

  npx heed list
  npx heed list --json | jq -r '.[].source'

${commandOptions.list.help}
`,
  rm: `heed rm NAME...: deletes stored models, by their sources or names as npx heed list shows them

  npx heed rm hf:OWNER/REPOSITORY:Q4_K_M
  npx heed rm model.gguf other.gguf
`,
}

export const helpOf = (command: string): string => commands[command]!
