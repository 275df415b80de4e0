// A plain format of conversations, for models whose files have no chat template: each turn is a line that begins with the speaker,
// as in a play. Models have often seen such lines in training.
import type { ChatOptions, ModelInfo } from 'heed'

const names = { user: 'User', assistant: 'Assistant' }

/** The template, in Jinja. A system message precedes the lines; content with images is a list of parts. */
const jinja = `{% macro said(content) %}{% if content is string %}{{ content }}{% else %}{% for part in content %}{{ part.text }}{% endfor %}{% endif %}{% endmacro %}
{%- for message in messages %}
{%- if message.role == 'system' %}{{ said(message.content) }}

{% elif message.role == 'user' %}${names.user}: {{ said(message.content) }}
{% else %}${names.assistant}: {{ said(message.content) | trim }}
{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}${names.assistant}:{% endif %}`

/** Whether a file specifies the format of its model's conversations. */
export const hasTemplate = ({ chatTemplates }: ModelInfo): boolean => chatTemplates.default !== undefined

/** The template for a model's conversations; undefined for the model's own. */
export const templateFor = (info: ModelInfo): ChatOptions['template'] => (hasTemplate(info) ? undefined : { jinja })

/** The options of a chat with a model: in the plain format, only the user's next line ends an answer. */
export const formOf = (info: ModelInfo): Pick<ChatOptions, 'template' | 'stop'> =>
  hasTemplate(info) ? {} : { template: templateFor(info), stop: [`\n${names.user}:`] }
