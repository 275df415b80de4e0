// The chat template of RWKV World, whose files contain only its name: `rwkv-world`, the only name of a template that llama.cpp's
// converter writes.
const world =
  "{%for m in messages%}{{m.role.title()+': '+m.content|trim+'\\n\\n'}}{%endfor%}{%if add_generation_prompt%}Assistant:{%endif%}"

/** Replaces a template's name by its Jinja; returns anything else unchanged. */
export const jinjaNamed = (source: string): string => (source === 'rwkv-world' ? world : source)
