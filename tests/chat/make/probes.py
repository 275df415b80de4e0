"""Small templates and what Jinja makes of them: data/probes.json."""
import json
from pathlib import Path

from jinja import render

data = {
    'user': {'name': 'Ann', 'age': 41, 'tags': ['b', 'a', 'C'], 'height': 1.75, 'none': None, 'yes': True, 'items': 'shadowed'},
    'words': ['pear', 'Apple', 'fig', 'fig'], 'empty': [], 'text': ' Grüße, 你好 👋🏽! ', 'n': 7, 'zero': 0,
    'quote': 'it\'s "so"\n\t\\',
    'people': [{'name': 'Bo', 'at': {'city': 'Bern'}, 'on': True}, {'name': 'Al', 'at': {'city': 'Rom'}}, {'name': 'Cy', 'on': False}],
}

expressions = """
1 + 2 * 3 ** 2
7 // 2, -7 // 2, 7 % 3, -7 % 3, 7 / 2, 7.0 // 2
2 ** -1, 2 ** 70, 10 ** 20
1.0, 1e16, 1e15, 1e-5, 0.0001, 1.5e300, 123456789.123
1 == 1.0, true == 1, '' != false, none == false, 'a' < 'b', [1, 2] < [1, 3]
1 < 2 < 3, 3 > 2 > 2
not none, not 'x', none or 'other', 'x' and 0, 0 or none
user, user.tags, (1,), (), {'a': {1: none}}, [true, 1.0, 'x']
user.yes ~ user.none ~ 1 ~ 1.0 ~ [1] ~ undefined_name
'ab' * 3, [1] * 2, 2 * 'x'
[1] + [2], (1,) + (2,)
text[0], text[-2], text[1:4], text[::-1], text | length, text[9]
words[1:], words[::-1], words[-1], words[5] is defined
'%s and %d, %5.2f, %r, %%, %x' % ('a', 3, 2.5, 'q', 255), '%s' % 1, '%.2s' % 'abc'
'%-5s|%5s|%05d' % ('a', 'b', -42)
user.name.upper(), user['name'], user['no'] is defined, user.no is none
user.items() | list | length, user.get('age'), user.get('no'), user.get('no', 5), user.get('none', 5)
user.keys() | list, user.values() | list | length
'name' in user, 'x' not in user, 'n' in 'Ann', 2 in [1, 2], 1.0 in [1]
text.strip(), text.lstrip(), text.rstrip(), 'xxaxx'.strip('x'), 'xya'.lstrip('yx'), '\\n\\na\\n'.rstrip('\\n')
'a b  c'.split(), 'a,b,,c'.split(','), 'a,b,c'.split(',', 1), 'a,b,c'.rsplit(',', 1), ' a  b '.split(none, 1)
'abcabc'.replace('b', 'XX'), 'aaa'.replace('a', 'b', 2), 'ab'.replace('', '-')
'abc'.find('c'), 'abc'.find('x'), '👋c'.find('c'), 'abca'.rfind('a'), 'abc'.index('b'), 'abab'.count('ab')
'abca'.find('a', -2), 'abca'.find('a', 1, -1), 'abca'.rfind('a', 0, -1), '👋ab👋'.find('b', -3, -1), 'abc'.find('c', 5)
{("a,'b",): 1}.get(('a', 'b')), {(1, 2): 'x'}.get((1.0, 2)), {('a',): 1}.get(('a',))
'abc'.startswith('ab'), 'abc'.endswith(('x', 'c')), ','.join(['a', 'b'])
'hello wORLD'.title(), 'hello wORLD'.capitalize(), "they're bill's" | title, 'a-b c(d' | title
'ab1'.isalnum(), '12'.isdigit(), 'ab'.isalpha(), ' '.isspace(), 'AB'.isupper(), 'ab'.islower()
'a\\nb\\r\\nc\\n'.splitlines(), 'prefix-x'.removeprefix('prefix-'), 'x.py'.removesuffix('.py')
user | tojson, [1.0, 1e-7, 2 ** 70, none, true] | tojson
quote | tojson, quote, [quote], ['it\\'s', 'a"b', '\\u200b', '\\x07', 'é', '👋']
'<>&é\\u2028' | tojson, 'é👋' | tojson(ensure_ascii=true)
user.tags | tojson(indent=2), {'b': 1, 'a': {'c': []}} | tojson(indent=2, sort_keys=true)
{'b': 1, 'a': [2]} | tojson(separators=(',', ':')), {1: 2, none: 3, true: 4} | tojson
words | join, words | join(', '), people | join('-', attribute='name'), [1, none, 2.5] | join('|')
words | first, words | last, 'abc' | first, 'abc' | last, 'abc' | list, {'a': 1} | list
words | sort, words | sort(case_sensitive=true), words | sort(reverse=true), people | sort(attribute='name') | map(attribute='name') | list
words | unique | list, words | reverse | list, 'abc' | reverse
words | map('upper') | list, words | map('replace', 'p', 'q') | list, people | map(attribute='at.city', default='?') | list
words | select('equalto', 'fig') | list, [0, 1, 2] | select | list, [1, 'a', none] | select('string') | list, [1, 2, 3] | reject('odd') | list
people | selectattr('on') | map(attribute='name') | list, people | selectattr('name', 'eq', 'Bo') | list | length, people | rejectattr('on') | list | length
people | selectattr('on', 'defined') | list | length, people | selectattr('at', 'undefined') | list | length
[3, 1, 2] | min, [3, 1, 2] | max, ['b', 'A'] | min, [1, 2.5] | sum, people | map(attribute='name') | max, [] | min
2.5 | round, 3.5 | round, 2.567 | round(2), 2.1 | round(0, 'ceil'), 2.9 | round(method='floor'), 7 | round
'3.7' | int, '12' | int, 'x' | int, 'x' | int(5), 3.9 | int, '3.5' | float, 'x' | float, true | int, '' | int
none | default('d'), nope | default('d'), '' | default('d'), '' | default('d', true), nope | d('e'), nope | default(none) is none
user | dictsort | map('first') | list, {'b': 1, 'A': 2} | dictsort, {'b': 1, 'a': 2} | dictsort(by='value'), {'b': 1, 'A': 2} | dictsort(case_sensitive=true, reverse=true)
'a b' | upper, 'A' | lower, 'abc' | capitalize, 'abc' | length, 'xax' | trim('x'), none | trim, [1] | trim, 5 | string ~ 'x'
'a\\nb\\n\\nc' | indent, 'a\\nb' | indent(2, true), 'a\\n\\nb' | indent(1, blank=true), 'a\\nb' | indent('> ')
('<a & "b">' | e) == 'x', 'x' | escape | length, '%s!' | format('hi')
{'a': 1} | items | list, nope | items | list
1 is number, 1 is integer, 1.0 is float, true is boolean, 1 is boolean, 'a' is string, user is mapping, words is sequence, user is iterable, 1 is iterable
none is none, none is not none, true is true, 1 is true, false is false, nope is undefined, user.name is defined
3 is odd, 4 is even, 9 is divisibleby 3, 9 is divisibleby(4), 1 is eq 1, 1 is in [1, 2], 2 is ge(2), 'a' is lower, 'A' is upper, none is sameas none, 1 is sameas true
dict is callable, user is callable, {} is iterable, 'x' is sequence, range(3) is iterable
range(5) | list, range(2, 8, 3) | list, range(3, 0, -1) | list, dict(a=1, b=2), dict({'x': 1}, y=2)
namespace(a=1).a, namespace(a=1).b is defined, namespace({'k': 2}).k
'yes' if n > 5 else 'no', 'only' if false, ('a' if zero else 'b') if n else 'c'
'joined ' 'strings' " here", 'tab\\tnewline\\\\ \\x41 \\u00e9 \\q'
strftime_now('%Y-%m-%d %H:%M:%S %A %a %B %b %d %j %I %p %y %e %%'), strftime_now('%-d %-m')
nope is defined and nope.x, (nope or {}).x is defined, nope ~ 'x', nope == nope2, nope == none, nope | length, nope | list, nope | string
words | length > 3 and n, -n, -2 ** 2, - 2 | string
user.__class__ is defined, user['__class__'] is defined, ''.__class__ is defined, user._x is defined
people[0]['at']['city'], people.0.name, people[0].at.city, {'a': {'b': 1}}['a']['b']
""".strip().split('\n')

failing = """
'a' + 1
'a' + {'x': 1}
'a' + [1]
[1] + 'a'
1 + 'a'
none + 'a'
nope.x
nope.x.y
user.no.x
nope + 1
nope()
nope | tojson
user.name()
none.strip()
[1].strip()
1 in 'abc'
'a' in none
none | length
5 | list
none | items | list
1 < 'a'
1 // 0
'%d' % 'x'
'%s %s' % ('a',)
'a' | nofilter
'a' is notest
range(1000000)
raise_exception('Not ' ~ 'this.')
'abc'.index('x')
{}['a'].b
{[1]: 2}
words.x.y
user.__class__.__mro__
''.__class__.__mro__
[] | first | upper ~ ([] | first).x
""".strip().split('\n')

templates = [
    'a\n{% if true %}\nb\n{% endif %}\nc\n', '  {% if true %}  x  {% endif %}  \n  y', '  {{ n }}  \n{# c #}\nz',
    '{%- if true -%}  x  {%- endif -%}  y',
    'a  {{- n -}}  b', '  {%+ if true %}x{% endif +%}\ny', 'a\n\n{% set x = 1 %}\n\nb', '{# one #}{# two -#}  x',
    '{#- a -#} b {#+ c +#}\nd',
    '{% raw %}{{ n }}{% if %}{% endraw %}|', 'a\n  {%- raw -%}  {{ x }}  {%- endraw -%}  b',
    '  {% raw %}\n{{ x }}\n  {% endraw %}\nb', "{{ '}}' }}{{ '%}' }}",
    '{% for x in words %}{{ loop.index }}{{ loop.first }}{{ loop.last }}{{ x }}{% if not loop.last %}, {% endif %}{% endfor %}',
    '{% for x in words %}{{ loop.index0 }}/{{ loop.length }} {{ loop.revindex }} {{ loop.revindex0 }} {{ loop.previtem }} {{ loop.nextitem }} {{ loop.cycle("a", "b") }}; {% endfor %}',
    '{% for x in words if x != "fig" %}{{ x }}{{ loop.length }}{% else %}none{% endfor %}',
    '{% for x in empty %}a{% else %}none{% endfor %}', '{% for x in nope %}a{% else %}none{% endfor %}',
    '{% for k, v in user.items() %}{{ k }}={{ v }};{% endfor %}',
    '{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}', '{% for c in "añ👋" %}{{ c }}.{% endfor %}',
    '{% for k in user %}{{ k }} {% endfor %}',
    '{% for x in range(9) %}{% if x == 2 %}a{% continue %}b{% endif %}{% if x == 5 %}e{% break %}f{% endif %}{{ x }}{% endfor %}',
    '{% for x in words %}{% set y = x %}{% endfor %}{{ y }}|{% if true %}{% set z = 1 %}{% endif %}{{ z }}',
    '{% set ns = namespace(c=0) %}{% for x in words %}{% set ns.c = ns.c + 1 %}{% endfor %}{{ ns.c }}',
    '{% set x = 1 %}{% for i in [1, 2] %}{{ x }}{% set x = x + 1 %}{{ x }}{% endfor %}{{ x }}',
    '{% set a, b = 1, [2] %}{{ a }}{{ b }}', '{% set x %}a{{ n }}b{% endset %}{{ x }}{{ x | length }}',
    '{% set x | upper %}abc{% endset %}{{ x }}',
    '{% macro m(a, b=2, c=a) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1) }}|{{ m(1, c=3) }}|{{ m(b=5, a=4) }}|{{ m() }}',
    '{% macro m() %}{{ x }}{% endmacro %}{% set x = 5 %}{{ m() }}',
    '{% macro m(a) %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, k=4) }}',
    '{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}', '{% macro m(a) %}{{ a }}{% endmacro %}{{ m(z=2) }}',
    '{% macro m(x) %}[{{ caller(x) }}]{% endmacro %}{% call(y) m(3) %}{{ y }}{{ n }}{% endcall %}',
    '{% macro f(i) %}{% if i %}{{ i }}{{ f(i - 1) }}{% endif %}{% endmacro %}{{ f(4) }}',
    '{% macro m(a) -%} x {%- endmacro %}[{{ m() }}]{{ m(1) | length }}{{ m() ~ "y" }}',
    '{% filter upper | replace("A", "b") %}a{{ n }}a{% endfilter %}',
    '{% with a = 1, b = n %}{{ a }}{{ b }}{% endwith %}{{ a }}', '{% generation %}x{{ n }}{% endgeneration %}',
    '{% for x in [1, [2, [3]]] recursive %}{% if x is iterable %}<{{ loop(x) }}>{% else %}{{ x }}{{ loop.depth }}{% endif %}{% endfor %}',
    '{% if n > 5 %}a{% elif n %}b{% else %}c{% endif %}{% if zero %}a{% elif n == 7 %}b{% endif %}{% if not n %}a{% else %}c{% endif %}',
    '{% set l = [1] %}{% set _ = l.append(2) %}{{ l }}{{ l.pop() }}{{ l }}{% set d = {} %}{% set _ = d.update({"a": 1}) %}{% set _ = d.update(b=2) %}{{ d }}{{ d.pop("a") }}{{ d.setdefault("c", 3) }}{{ d }}',
    '{{ n }}{{ n, 1 }}{{ (n) }}', '{% for x in 1, 2 %}{{ x }}{% endfor %}',
    '{{ user.items }}' if False else '{{ user["items"] }}', '{% set x = none %}{{ x is none }}{{ x }}',
    '{% macro m(a=none) %}{{ a is none }}{% endmacro %}{{ m() }}{{ m(none) }}', 'no\r\nreturn\r{{ n }}\r\n',
    '{% if nope is not defined %}{% set nope = 3 %}{% endif %}{{ nope }}',
    '{% for x in words %}{% for y in [1, 2] %}{{ loop.index }}{% endfor %}{{ loop.index }}{% endfor %}',
    '{{ loop is defined }}',
    '{% for m in people %}{{ m.at.city if m.at is defined else "-" }}{% endfor %}',
    '{% set x = user.name if user.name else none %}{{ x }}', '{{ {"a": 1, "b": [1, 2]}["b"][1] }}', '{{ {"a": {}} }}',
    '{{ "a" if "x" is string and n is number else "b" }}',
    '{% if %}', '{% for x %}', '{{ 1 + }}', '{% endif %}', '{% if true %}', '{{ "a', '{{ (1 }}', '{% nope %}', '{# a',
    '{% raw %}a', '{{ 1 2 }}', '{% set 1 = 2 %}', '{% macro m(a=1, b) %}{% endmacro %}', '{{ a.b. }}', '{{ $ }}',
    '{% set n.x = 1 %}', '{% set a, b = [1] %}',
]

probes = [{'template': '{{ [' + line + '] }}'} for line in expressions]
probes += [{'template': '{{ ' + line + ' }}'} for line in failing]
probes += [{'template': template} for template in templates]
for probe in probes:
    result = render(probe['template'], data)
    # Wordings of syntax errors are ours.
    probe.update({'kind': result['kind']} if result.get('kind') == 'TemplateSyntaxError' else result)
path = Path(__file__).parent.parent / 'data/probes.json'
path.write_text(json.dumps({'variables': data, 'probes': probes}, ensure_ascii=False, indent=1) + '\n')
