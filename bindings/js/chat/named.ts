// Templates that files name instead of holding them: names that llama.cpp knows (llama_chat_builtin_templates). Its converter writes
// "rwkv-world" for all RWKV World models.
const named = new Map([
  [
    'rwkv-world',
    `{% for message in messages %}{{ message.role.title() + ': ' + message.content | trim + '\\n\\n' }}{% endfor %}` +
      `{% if add_generation_prompt %}Assistant:{% endif %}`,
  ],
  [
    'chatml',
    `{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{% endfor %}` +
      `{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`,
  ],
])

/** The Jinja of a named template; anything else as it is. */
export const jinjaNamed = (source: string): string => named.get(source) ?? source
