"""Every filter, test, function and method that Jinja has, and what it makes of some values: data/builtins.json.

Their names are read from Jinja and from Python's types; one without a line below is an error, unless it is left out.
"""
import json
from pathlib import Path

import jinja2
from jinja import render

data = {
    'words': ['pear', 'Apple', 'fig', 'kiwi', 'plum'], 'numbers': [3, 1, 2], 'text': 'Grüße aus 北京 👋', 'long': 'The quick brown fox jumps over the lazy dog, again and again.',
    'people': [{'name': 'Bo', 'city': 'Bern'}, {'name': 'Al', 'city': 'rome'}, {'name': 'Cy', 'city': 'Rome'}, {'name': 'Di'}],
    'html': '<p class="a">Tom &amp; <b>Jerry</b>\n  <!-- x -->ran&#33;</p>', 'd': {'b': 2, 'a': [1], 'C': None}, 'none': None,
}

filters = """
abs: -5 | abs, -2.5 | abs, 3 | abs, true | abs, -0.0 | abs
attr: d | attr('b') is defined, namespace(a=1) | attr('a'), d | attr('items') is defined, 'x' | attr('upper') is callable
batch: words | batch(2) | list, words | batch(2, '-') | list, [] | batch(3) | list, 'abcde' | batch(2) | list, numbers | batch(9, 0) | list
capitalize: 'hELLO wORLD' | capitalize, 'éA' | capitalize, 5 | capitalize
center: 'ab' | center(7), 'abc' | center(6), 'x' | center | length, 'long' | center(2)
count: words | count, 'abc' | count
d: nope | d('x'), '' | d('x', true)
default: nope | default('x'), none | default('x', boolean=true), 0 | default(1)
dictsort: d | dictsort, d | dictsort(true), {'a': 2, 'b': 1} | dictsort(false, 'value'), d | dictsort(reverse=true)
e: ('<a href="x">' | e) ~ '', (5 | e) ~ ''
escape: ("it's & <b>" | escape) ~ ''
filesizeformat: 1 | filesizeformat, 0 | filesizeformat, 999 | filesizeformat, 1000 | filesizeformat, 13000 | filesizeformat, 1000000 | filesizeformat, 1500000000 | filesizeformat, 1024 | filesizeformat(true), 1048576 | filesizeformat(binary=true), (10 ** 27) | filesizeformat, '2048' | filesizeformat, 0.5 | filesizeformat
first: words | first, 'abc' | first
float: '1.5' | float, 'x' | float, 'x' | float(2.5), '1e3' | float, 'inf' | float, '-Infinity' | float, 'nan' | float, '1_000' | float, 3 | float, none | float
forceescape: ('<x>' | forceescape) ~ ''
format: '%s, %s!' | format('a', 'b'), '%(x)s-%(y)03d' | format(x=1, y=2), '%+d % d %x %X %o %e %E %g' | format(5, 5, 255, 255, 8, 12345.678, 0.00012, 1e10), '%5.1f|%-8s|%08.3f' | format(2.25, 'ab', -3.14159), '%c%c' | format('a', 98), '%r' | format('q'), '%*d' | format(5, 42), '%#x %#o' | format(255, 8), '%.3d' | format(7), '%g %g %g' | format(100000, 1000000, 0.0001), '%i%%' | format(9.9)
groupby: people | groupby('city', default='-') | list, people | groupby('name') | map(attribute='grouper') | list, people | groupby('city', default='', case_sensitive=true) | map('first') | list
indent: 'a\\nb' | indent, 'a\\n\\nb' | indent(2, true, true), 'a\\nb' | indent('--')
int: '42' | int, '0x1F' | int(0, 16), '1F' | int(base=16), '101' | int(0, 2), '0b11' | int(base=2), 'zz' | int(base=36), '0x1F' | int, '3.9' | int, '-7.5' | int, ' 12 ' | int, '1_000' | int, 'x' | int(7), 3.99 | int, 'inf' | int(5), none | int(3)
items: d | items | list, nope | items | list
join: words | join('-'), numbers | join, people | join(', ', attribute='name'), [1, [2], none] | join('|')
last: words | last, 'abc' | last
length: text | length, d | length, words | length
list: 'ab' | list, d | list, (1, 2) | list
lower: 'ÀÉ X' | lower, 5 | lower
map: words | map('upper') | list, people | map(attribute='city', default='?') | list, words | map('truncate', 2, true, '') | list, [' a '] | map('trim') | list, [[1, 2], [3]] | map('sum') | list, [1.25] | map('round', 1) | list
max: numbers | max, words | max, words | max(true), people | max(attribute='name'), [] | max is defined
min: numbers | min, words | min, words | min(case_sensitive=true)
reject: numbers | reject('odd') | list, [0, 1, ''] | reject | list
rejectattr: people | rejectattr('city', 'undefined') | map(attribute='name') | list, people | rejectattr('city') | map(attribute='name') | list
replace: 'aXbX' | replace('X', '-'), 'aaa' | replace('a', 'b', 2), 12 | replace(1, 3)
reverse: words | reverse | list, 'abc' | reverse, numbers | reverse | first
round: 12.345 | round(2), 2.675 | round(2), 0.125 | round(2), 0.375 | round(2), 2.5 | round, 3.5 | round, -2.5 | round, 1.15 | round(1), 1e22 | round(2), 1234.5678 | round(-2), 1250 | round(-2), 1350 | round(-2), 1249.5 | round(-2), -1250 | round(-2), 7 | round(1), 2.1 | round(0, 'ceil'), 2.1 | round(1, 'ceil'), -2.1 | round(0, 'floor'), 42.55 | round(1, 'floor'), 5 | round(-1), 15 | round(-1), true | round, 0.1 | round(20), 5e-324 | round(3), 1.005 | round(2), 1e16 | round(-3), 9.995 | round(2)
safe: ('<b>' | safe) ~ ''
select: numbers | select('gt', 1) | list, [0, 1] | select | list, words | select('in', ['fig']) | list
selectattr: people | selectattr('name', 'equalto', 'Bo') | map(attribute='city') | list, people | selectattr('city') | list | length
slice: words | slice(2) | list, words | slice(3, '-') | list, numbers | slice(5) | list, 'abcdefg' | slice(3) | list
sort: numbers | sort, words | sort, words | sort(true), words | sort(case_sensitive=true), people | sort(attribute='name') | map(attribute='name') | list, [[2, 'a'], [1, 'b']] | sort(attribute='0') | list, [{'a': 1, 'b': 2}, {'a': 1, 'b': 1}] | sort(attribute='a,b') | list
string: 1.0 | string, [1] | string, none | string, true | string
striptags: html | striptags, 'a  <br>  b' | striptags, '&lt;x&gt; &quot;' | striptags
sum: numbers | sum, [1.5, 2] | sum, [{'a': 1}, {'a': 2}] | sum(attribute='a'), [] | sum(start=5), [[1], [2]] | sum(start=[])
title: "hello wORLD it's a-b (c)" | title, 'élan vital' | title
tojson: d | tojson, d | tojson(true), d | tojson(2), 'é\\x7f👋<&>' | tojson, 'é\\x7f👋' | tojson(ensure_ascii=true), d | tojson(indent=2), d | tojson(indent=1, separators=(', ', ': ')), {'b': 1, 'a': 2} | tojson(sort_keys=true), [1.0, 1e22, 2 ** 70, -0.0] | tojson, d | tojson(false, 3), [] | tojson(indent=2), {'a': []} | tojson(indent='\\t')
trim: '  a ' | trim, 'xxaxx' | trim('x'), 5 | trim
truncate: long | truncate(20), long | truncate(20, true), long | truncate(20, end='…'), long | truncate(60), 'ab cd' | truncate(3, leeway=0), long | truncate(20, false, '', 0), 'abcdefghij' | truncate(5, leeway=0), text | truncate(8, leeway=0)
unique: ['a', 'A', 'b', 'a'] | unique | list, ['a', 'A'] | unique(true) | list, people | unique(attribute='city') | map(attribute='name') | list
upper: 'ß é' | upper
urlencode: 'a b/c?d=é&f~g' | urlencode, {'q': 'x y', 'n': 1, 'e': 'é/'} | urlencode, [('a', 'b c'), ('d', 2)] | urlencode, 5 | urlencode, '北京' | urlencode
wordcount: long | wordcount, 'a-b c_d 5' | wordcount, text | wordcount, '' | wordcount
wordwrap: long | wordwrap(20), long | wordwrap(12, wrapstring='|'), 'abcdefghij klm' | wordwrap(4), 'abcdefghij klm' | wordwrap(4, false), 'well-known state-of-the-art x-ray' | wordwrap(8), 'well-known thing' | wordwrap(6, break_on_hyphens=false), 'one\\ntwo three\\n\\nfour five' | wordwrap(6), '  lead  and  gaps  here' | wordwrap(9)
xmlattr: {'class': 'a b', 'id': 5, 'x': none, 'q': '"<'} | xmlattr | string, {'a': 1} | xmlattr(false) | string, {} | xmlattr | string
"""

tests = """
!=: 1 is ne 2
<: 1 is lt 2
<=: 1 is le 1
==: 1 is eq 1.0
>: 2 is gt 1
>=: 2 is ge 3
boolean: true is boolean, 1 is boolean
callable: dict is callable, 'x'.upper is callable, 5 is callable
defined: words is defined, nope is defined
divisibleby: 9 is divisibleby 3, 9 is divisibleby(2), 9.0 is divisibleby 3
eq: 'a' is eq 'a', [1] is eq [1]
equalto: 'a' is equalto 'b'
escaped: 'a' is escaped
even: 4 is even, 3 is even, 2.0 is even
false: false is false, 0 is false
filter: 'upper' is filter, 'nofilter' is filter, 'batch' is filter
float: 1.0 is float, 1 is float
ge: 'b' is ge 'a'
greaterthan: 2 is greaterthan 1
gt: 2 is gt 2
in: 1 is in [1], 'a' is in 'cab', 'k' is in {'k': 1}
integer: 1 is integer, true is integer, 1.0 is integer
iterable: words is iterable, 'a' is iterable, 5 is iterable, nope is iterable
le: 1 is le 2
lessthan: 1 is lessthan 2
lower: 'abc' is lower, 'aBc' is lower, '1' is lower
lt: 1 is lt 1
mapping: d is mapping, words is mapping
ne: 'a' is ne 'b'
none: none is none, 0 is none
number: 1 is number, 1.5 is number, true is number, '1' is number
odd: 3 is odd, 4 is odd
sameas: none is sameas none, true is sameas true, 1 is sameas true
sequence: words is sequence, 'a' is sequence, d is sequence, 5 is sequence
string: 'a' is string, 5 is string
test: 'odd' is test, 'notest' is test
true: true is true, 1 is true
undefined: nope is undefined, words is undefined
upper: 'ABC' is upper, 'AbC' is upper
"""

functions = """
cycler: cycler('a', 'b').next(), cycler('a', 'b').current
dict: dict(a=1), dict([('a', 1)]), dict({'a': 1}, b=2)
joiner: joiner()(), joiner('-')()
namespace: namespace(a=1).a
range: range(3) | list, range(1, 7, 2) | list
"""

methods = {str: """
capitalize: 'hELLO'.capitalize(), ''.capitalize()
casefold: 'Straße ΣΑΣ İ'.casefold(), 'ABC'.casefold()
center: 'ab'.center(7), 'abc'.center(6), 'ab'.center(5, '*'), 'abc'.center(2), 'é'.center(4, '-')
count: 'banana'.count('a'), 'banana'.count('a', 2), 'banana'.count('an', 0, 4), 'aaa'.count('')
endswith: 'abc'.endswith('bc'), 'abc'.endswith(('x', 'c')), 'abc'.endswith('b', 0, 2)
expandtabs: 'a\\tb\\tc'.expandtabs(), 'ab\\tc\\nd\\te'.expandtabs(4), '\\t'.expandtabs(0)
find: 'abcabc'.find('c'), 'abcabc'.find('c', 3), 'abc'.find('x'), 'abc'.find('c', none, 2)
format: '{} {}'.format(1, 'a'), '{1}{0}'.format('a', 'b'), '{x} {y[0]} {z.k}'.format(x=1, y=[2], z={'k': 3}), '{{}} {}'.format(5), '{:>5}|{:<5}|{:^5}|{:*^7}'.format('a', 'b', 'c', 'd'), '{:05d} {:+d} {: d} {:,} {:_} {:x} {:#X} {:b} {:o}'.format(42, 5, 5, 1234567, 1234567, 255, 255, 5, 8), '{:.2f} {:8.3f} {:e} {:.3g} {:%} {:.1%}'.format(3.14159, 2.5, 12345.678, 0.00012345, 0.5, 0.125), '{!r} {!s:>4}'.format('q', 'w'), '{:.3}'.format('abcdef'), '{} {} {}'.format(none, true, [1]), '{:{w}}|'.format('a', w=4), '{:.3}'.format(3.14159), '{:g} {:G}'.format(1e10, 1e-10), '{:=+7d}'.format(42), '{:<05}'.format('a'), '{:,.2f}'.format(1234567.891)
format_map: '{a}-{b}'.format_map({'a': 1, 'b': 'x'})
index: 'abc'.index('b'), 'abcabc'.index('b', 2)
isalnum: 'a1'.isalnum(), 'a b'.isalnum(), ''.isalnum()
isalpha: 'aé'.isalpha(), 'a1'.isalpha()
isascii: 'abc'.isascii(), 'é'.isascii(), ''.isascii()
isdecimal: '12'.isdecimal(), '²'.isdecimal(), 'a'.isdecimal()
isdigit: '12'.isdigit(), '1.5'.isdigit(), '²'.isdigit()
isidentifier: 'a_1'.isidentifier(), '1a'.isidentifier(), 'é'.isidentifier()
islower: 'abc'.islower(), 'aB'.islower(), '1'.islower()
isnumeric: '12'.isnumeric(), '½'.isnumeric(), 'x'.isnumeric()
isprintable: 'a b'.isprintable(), 'a\\n'.isprintable(), ''.isprintable()
isspace: ' \\t'.isspace(), ''.isspace(), 'a'.isspace()
istitle: 'Hello World'.istitle(), 'Hello world'.istitle(), 'HeLLo'.istitle(), '1'.istitle(), "It'S".istitle()
isupper: 'ABC'.isupper(), 'aB'.isupper(), 'A1'.isupper()
join: '-'.join(['a', 'b']), ''.join('abc')
ljust: 'ab'.ljust(5) ~ '|', 'ab'.ljust(5, '.'), 'abc'.ljust(2)
lower: 'ÀB'.lower()
lstrip: '  a '.lstrip(), 'xya'.lstrip('yx')
maketrans: 'abc'.translate(''.maketrans('ab', 'xy')), 'abc'.translate(''.maketrans('a', 'z', 'c')), 'abc'.translate(''.maketrans({'b': 'BB'}))
partition: 'a=b=c'.partition('='), 'abc'.partition('=')
removeprefix: 'abc'.removeprefix('a'), 'abc'.removeprefix('x')
removesuffix: 'abc'.removesuffix('c'), 'abc'.removesuffix('x')
replace: 'aaa'.replace('a', 'b'), 'aaa'.replace('a', 'b', 1)
rfind: 'abcabc'.rfind('c'), 'abc'.rfind('x')
rindex: 'abcabc'.rindex('b'), 'abcabc'.rindex('b', 0, 4)
rjust: 'ab'.rjust(5), 'ab'.rjust(5, '0')
rpartition: 'a=b=c'.rpartition('='), 'abc'.rpartition('=')
rsplit: 'a b c'.rsplit(' ', 1), 'a,b'.rsplit(',')
rstrip: ' a  '.rstrip() ~ '|', 'axx'.rstrip('x')
split: ' a  b '.split(), 'a,b,,c'.split(','), 'a,b,c'.split(',', 1)
splitlines: 'a\\nb\\r\\nc\\x85d\\u2028e'.splitlines(), 'a\\nb\\n'.splitlines(true), ''.splitlines()
startswith: 'abc'.startswith('ab'), 'abc'.startswith('b', 1), 'abc'.startswith(('x', 'a'))
strip: ' a '.strip(), 'xax'.strip('x')
swapcase: 'aBc É'.swapcase(), 'ß'.swapcase()
title: "hello wORLD it's".title()
translate: 'abc'.translate({97: 'x', 98: none, 99: 100})
upper: 'aß'.upper()
zfill: '42'.zfill(5), '-42'.zfill(5), '+7'.zfill(4), 'abc'.zfill(2), ''.zfill(3)
""", list: """
append: [1].append(2)
clear: [1].clear()
copy: [1, [2]].copy()
count: [1, 2, 1.0].count(1)
extend: [1].extend([2])
index: [1, 2, 3, 2].index(2), [1, 2, 3, 2].index(2, 2)
insert: [1].insert(0, 2)
pop: [1, 2].pop(), [1, 2].pop(0)
remove: [1].remove(1)
reverse: [1, 2].reverse()
sort: [2, 1].sort()
""", dict: """
clear: {'a': 1}.clear()
copy: {'a': 1}.copy()
fromkeys: {}.fromkeys(['a', 'b'], 0), {}.fromkeys('ab')
get: {'a': 1}.get('a'), {'a': 1}.get('b'), {'a': 1}.get('b', 5)
items: {'a': 1}.items() | list
keys: {'a': 1}.keys() | list
pop: {'a': 1}.pop('a'), {}.pop('x', 5)
popitem: {'a': 1, 'b': 2}.popitem()
setdefault: {'a': 1}.setdefault('a', 2), {}.setdefault('b', 3)
update: {}.update(a=1)
values: {'a': 1}.values() | list
"""}

templates = [
    "{% for row in words | batch(3, '') %}{% for x in row %}{{ x }};{% endfor %}\n{% endfor %}",
    "{% for city, group in people | groupby('city', default='?') %}{{ city }}:{% for p in group %}{{ p.name }}{% endfor %} {% endfor %}",
    "{% for g in people | groupby('city', default='?') %}{{ g.grouper }}={{ g.list | length }} {% endfor %}",
    "{% for x in [1, 1, 2] %}{{ loop.changed(x) }}{{ loop.changed(x, 'a') }}{% endfor %}", "{% for x in 'aab' %}{{ loop.changed(x) }}{% for y in [1] %}{{ loop.changed() }}{% endfor %}{% endfor %}",
    "{{ 1_000 + 0x1F + 0b1_1 + 0O17 }} {{ 1_0.5e0_1 }} {{ words[0x1] }}",
    "{{ '{:.3e} {:.0e} {:.1e} {:.2g} {:.2e}'.format(1234.5, 2.5, 0.25, 12.5, 1.115) }} {{ '%.1e %.0e' % (12.5, 35.0) }}",
    "{% set c = cycler('a', 'b', 'c') %}{% for x in words %}{{ c.next() }}{{ c.current }}{% endfor %}{% set _ = c.reset() %}{{ c.current }}",
    "{% set j = joiner(' | ') %}{% for x in words %}{{ j() }}{{ x }}{% endfor %}",
    "{% set l = [3, 1, 2] %}{% set _ = l.sort() %}{{ l }}{% set _ = l.reverse() %}{{ l }}{% set _ = l.insert(1, 9) %}{{ l }}{% set _ = l.remove(9) %}{{ l }}{% set _ = l.insert(-1, 7) %}{{ l }}{% set _ = l.sort(reverse=true) %}{{ l }}{% set _ = l.clear() %}{{ l }}",
    "{% set d = {'a': 1, 'b': 2} %}{{ d.popitem() }}{{ d }}{% set _ = d.clear() %}{{ d }}",
    "{% filter indent(2) %}{{ long | wordwrap(30) }}{% endfilter %}",
]
failing = [
    "'abc'.rindex('x')", "[].remove(1)", "{}.popitem()", "'a'.center(5, 'ab')", "'{} {}'.format(1)", "'{x}'.format(y=1)", "'{'.format(1)", "'a'.partition('')",
    "5 | round(0, 'up')", "'x' | abs", "'%(a)s' % 5", "'%d %d' % (1,)", "cycler()", "'{:d}'.format('a')", "'{:d}'.format(1.5)", "[1] | slice(0) | list",
]

# What is not the same twice; what makes links or lines for debugging; and bytes, which templates cannot print.
left_out = {'random', 'lipsum', 'urlize', 'pprint', 'encode'}


def lines_of(text, names):
    """[(name, expression)], in which each name has a line."""
    lines = [line.split(': ', 1) for line in text.strip().split('\n')]
    missing = set(names) - {name for name, _ in lines} - left_out
    assert not missing, missing
    return lines


environment = jinja2.Environment()
public = lambda of: [name for name in dir(of) if not name.startswith('_')]
tables = {
    'filters': lines_of(filters, environment.filters), 'tests': lines_of(tests, environment.tests),
    'functions': lines_of(functions, environment.globals),
    **{f'methods of {of.__name__}': lines_of(text, public(of)) for of, text in methods.items()},
}
probes = [{'of': of, 'name': name, 'template': '{{ [' + expression + '] }}'} for of, lines in tables.items() for name, expression in lines]
probes += [{'of': 'templates', 'name': str(at), 'template': template} for at, template in enumerate(templates)]
probes += [{'of': 'errors', 'name': str(at), 'template': '{{ ' + expression + ' }}'} for at, expression in enumerate(failing)]
for probe in probes:
    result = render(probe['template'], data)
    if 'text' not in result:
        assert probe['of'] == 'errors', (probe, result)
        result = {'kind': result['kind']}
    probe.update(result)
path = Path(__file__).parent.parent / 'data/builtins.json'
path.write_text(json.dumps({'variables': data, 'leftOut': sorted(left_out), 'probes': probes}, ensure_ascii=False, indent=1) + '\n')
