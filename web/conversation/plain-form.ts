// A plain form of conversations, for models whose files have no chat template: each turn is a line that begins with who says it, as in
// a play. Models that have read much have read such lines.
import type { ChatOptions, ModelInfo } from 'heed'

const names = { user: 'User', assistant: 'Assistant' }

/** In Jinja. A system message stands before the lines; pictures come as parts of a content. */
const jinja = `{% macro said(content) %}{% if content is string %}{{ content }}{% else %}{% for part in content %}{{ part.text }}{% endfor %}{% endif %}{% endmacro %}
{%- for message in messages %}
{%- if message.role == 'system' %}{{ said(message.content) }}

{% elif message.role == 'user' %}${names.user}: {{ said(message.content) }}
{% else %}${names.assistant}: {{ said(message.content) | trim }}
{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}${names.assistant}:{% endif %}`

/** Whether a file says how its model's conversations are written. */
export const hasTemplate = ({ chatTemplates }: ModelInfo): boolean => chatTemplates.default !== undefined

/** The template that a model's conversations are written with; undefined for its own. */
export const templateFor = (info: ModelInfo): ChatOptions['template'] => (hasTemplate(info) ? undefined : { jinja })

/** The options of a chat with a model: nothing else ends an answer in the plain form but the user's next line. */
export const formOf = (info: ModelInfo): Pick<ChatOptions, 'template' | 'stop'> =>
  hasTemplate(info) ? {} : { template: templateFor(info), stop: [`\n${names.user}:`] }
