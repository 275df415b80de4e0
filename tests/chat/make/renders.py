"""What the templates of ../shared/chat/templates-more make of its conversations, as hashes: data/renders.json."""
import hashlib
import json
from pathlib import Path

from jinja import render

here = Path(__file__).parent
shared = here.parents[3] / 'shared/chat'
conversations = json.loads((shared / 'conversations.json').read_text())['conversations']


def short(result):
    if 'text' in result:
        return hashlib.sha256(result['text'].encode()).hexdigest()[:16]
    return f"{result['kind']}: {result['message']}"


renders = {}
for path in sorted((shared / 'templates-more').glob('*.jinja')):
    source = path.read_text()
    renders[path.stem] = {
        conversation['id']: short(render(source, {
            'messages': conversation['messages'], 'tools': conversation.get('tools'), 'documents': None,
            'add_generation_prompt': conversation['addGenerationPrompt'], 'bos_token': '<s>', 'eos_token': '</s>',
            **conversation.get('extra', {}),
        }, conversation['now'])) for conversation in conversations
    }
(here.parent / 'data/renders.json').write_text(json.dumps(renders, ensure_ascii=False, indent=1) + '\n')
