// The template that files of RWKV World name instead of holding it: llama.cpp's converter writes one of llama.cpp's own names there, this
// alone.
const world =
  "{%for m in messages%}{{m.role.title()+': '+m.content|trim+'\\n\\n'}}{%endfor%}{%if add_generation_prompt%}Assistant:{%endif%}"

/** The Jinja of a named template; anything else as it is. */
export const jinjaNamed = (source: string): string => (source === 'rwkv-world' ? world : source)
