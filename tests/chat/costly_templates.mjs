// Hostile templates that aim at cost: they grow a value in one of several ways, then do something with it that takes long, or much
// memory, if nothing limits it.
import { randomNumbers } from './support.mjs'

/** Statements that make `v`, of a size `n`, in a scope with a namespace `ns`. */
const growths = {
  text: n => `{% set v = "ab " * ${n} %}`,
  sameLetters: n => `{% set v = "a" * ${n} ~ "b" %}`,
  lines: n => `{% set v = "\\n" * ${n} %}`,
  pairs: n => `{% set v = "👋" * ${n} %}`,
  mixed: n => `{% set v = range(${Math.min(n, 99_999)}) | join(messages[0].content) %}`,
  doubledText: n => `{% set ns.v = "xy" %}{% for i in range(${n % 60}) %}{% set ns.v = ns.v ~ ns.v %}{% endfor %}{% set v = ns.v %}`,
  doubledList: n => `{% set ns.v = [1, "a"] %}{% for i in range(${n % 60}) %}{% set ns.v = ns.v + ns.v %}{% endfor %}{% set v = ns.v %}`,
  nested: n => `{% set ns.v = [] %}{% for i in range(${n % 5000}) %}{% set ns.v = [ns.v] %}{% endfor %}{% set v = ns.v %}`,
  sharedLists: n => `{% set ns.v = [1] %}{% for i in range(${n % 99}) %}{% set ns.v = [ns.v, ns.v] %}{% endfor %}{% set v = ns.v %}`,
  sharedTuples: n => `{% set ns.v = (1,) %}{% for i in range(${n % 99}) %}{% set ns.v = (ns.v, ns.v) %}{% endfor %}{% set v = ns.v %}`,
  sharedDicts: n => `{% set ns.v = {} %}{% for i in range(${n % 99}) %}{% set ns.v = {"a": ns.v, "b": ns.v} %}{% endfor %}{% set v = ns.v %}`,
  cycle: () => '{% set v = [1] %}{% set _ = v.append(v) %}{% set _ = v.append(v) %}',
  namespaces: () => '{% set ns.v = ns %}{% set v = [ns, ns] %}',
  range: n => `{% set v = range(${n}) %}`,
  hugeRange: n => `{% set v = range(10 ** ${n % 900}, 10 ** ${n % 900} + ${n % 99}) %}`,
  texts: n => `{% set v = ["a" * ${n}, "a" * ${n} ~ "b", "a" * ${n}] * 9 %}`,
  repeated: n => `{% set v = [[], {}, ""] * ${n} %}`,
  emptyRepeated: n => `{% set v = [] * ${n}000000 %}`,
  integer: n => `{% set v = 3 ** ${n} %}`,
  powers: n => `{% set ns.v = 9 %}{% for i in range(${n % 99}) %}{% set ns.v = ns.v * ns.v %}{% endfor %}{% set v = ns.v %}`,
  sums: n => `{% set ns.v = 2 ** 4000 %}{% for i in range(${n}) %}{% set ns.v = ns.v + ns.v %}{% endfor %}{% set v = ns.v %}`,
  collisions: n => `{% set v = {} %}{% for i in range(${n}) %}{% set _ = v.update({i * 2 ** 64: 1}) %}{% endfor %}`,
  keys: n => `{% set v = {} %}{% for i in range(${n}) %}{% set _ = v.setdefault("k" * 99 ~ i, i) %}{% endfor %}`,
  digits: n => `{% set v = "1" * ${n} ~ "x" %}`,
  floats: n => `{% set v = 1e308 * ${n} %}`,
  content: () => '{% set v = messages[0].content %}',
}

/** Expressions with `v`. */
const expressions = [
  'v', 'v == v', 'v == v ~ ""', 'v < v', 'v <= v[1:]', '[v] == [v]', 'v in v', '"b" in v', 'v in [v, v]', 'v[::-1]', 'v[1:]', 'v[-1]', 'v[::2]',
  'v ~ v', 'v + v', 'v * 99999', 'v * v', 'v ** v', 'v % v', 'v // 7', '-v', 'not v', '{v: v}', '{v: 1}[v]', '(v, v)', '[v, v] | tojson',
  'v | tojson', 'v | tojson(indent=2)', 'v | tojson(indent=10 ** 9)', 'v | tojson(sort_keys=true)', 'v | tojson(indent="x" * 9999)', 'v | string',
  'v | list', 'v | list | length', 'v | length', 'v | first', 'v | last', 'v | max', 'v | min', 'v | sum', 'v | sum(start=[])', 'v | sort',
  'v | sort(reverse=true)', 'v | sort(attribute="a")', 'v | unique | list', 'v | reverse', 'v | join', 'v | join(v)', 'v | join(", " * 9999)',
  'v | map("upper") | list', 'v | map("string") | list', 'v | map(attribute="a.a.a") | list', 'v | map("tojson") | list', 'v | select | list',
  'v | select("in", v) | list', 'v | reject("equalto", v) | list', 'v | selectattr("a") | list', 'v | dictsort', 'v | dictsort(by="value")', 'v | items',
  'v | upper', 'v | lower', 'v | capitalize', 'v | title', 'v | trim', 'v | trim(v)', 'v | escape', 'v | indent(10 ** 9)', 'v | indent(v)',
  'v | indent(99, true, true)', 'v | replace("a", v)', 'v | replace("", v)', 'v | replace(v, v)', 'v | replace("a", "", 3)', 'v | int', 'v | float', 'v | round(10 ** 9)',
  'v | format(v)', '"%s" | format(v)', '"%1000000000d" % 1', '"%s%s" % (v, v)', '"%-99999999s" % v', '"%.99999s" % v', '"%r" % v', '"%x" % v', '"%f" % v',
  'v.split()', 'v.split("a")', 'v.split("aab")', 'v.split("a", 3)', 'v.rsplit("a", 1)', 'v.splitlines()', 'v.strip("ab ")', 'v.strip(v)', 'v.replace("a", v)',
  'v.replace("b" ~ v, "")', 'v.find("a" * 300 ~ "c")', 'v.rfind("a" * 300 ~ "c")', 'v.count("a")', 'v.count(v[1:])', 'v.index("b")', 'v.join(v)', 'v.join(["a"] * 9999)',
  'v.title()', 'v.upper()', 'v.isalpha()', 'v.isalnum()', 'v.isupper()', 'v.startswith(v)', 'v.endswith((v, v))', 'v.removeprefix(v)', 'v.append(v)', 'v.extend(v)',
  'v.index(v)', 'v.count(v)', 'v.copy()', 'v.pop(0)', 'v.get(v)', 'v.update(v)', 'v.keys() | list', 'v.values() | list', 'v.items() | list', 'v[v]', 'v.a.a.a',
  'range(v)', 'range(v | length)', 'dict(v)', 'dict(**v)', 'namespace(**v)', 'm(*v)', 'm(**v)', 'm(v)', 'again(v)', 'v()', 'v is defined', 'v is upper', 'v is divisibleby(v)',
  'v is in v', 'v is eq(v)', 'v is filter', 'strftime_now(v)', 'raise_exception(v)', 'v.center(10 ** 9)', 'v | wordwrap(3)', 'v | groupby("a")', 'v | batch(9)',
]

/** Places for an expression. */
const places = [
  e => `{{ ${e} }}`, e => `{% set x = ${e} %}`, e => `{% for i in range(99999) %}{{ ${e} }}{% endfor %}`,
  e => `{% for i in range(99999) %}{% if ${e} %}{% endif %}{% endfor %}`, e => `{% for x in ${e} %}{{ x }}{% endfor %}`,
  e => `{% for x in ${e} %}{% for y in ${e} %}{% set z = x %}{% endfor %}{% endfor %}`,
  e => `{% set l = [] %}{% for i in range(99999) %}{% set _ = l.append(${e}) %}{% endfor %}{{ l | tojson }}`,
  e => `{% set x %}{% for i in range(999) %}{{ ${e} }}{% endfor %}{% endset %}{{ x }}{{ x }}`,
  e => `{% macro r(d) %}{{ ${e} }}{{ r(d + 1) }}{{ r(d + 1) }}{% endmacro %}{{ r(0) }}`,
  e => `{% for x in [1, 2] recursive %}{{ ${e} }}{{ loop([1, 2]) }}{% endfor %}`,
  e => `{% filter upper %}{{ ${e} }}{% endfilter %}`, e => `{% set w = ${e} %}{{ w ~ w }}{{ w == w }}{{ [w] * 99 }}`,
  e => `{{ [${`${e}, `.repeat(200)}] | length }}`, e => `{{ ${e} or ${e} and ${e} }}`, e => `{% set f = ${e} %}{{ f | tojson | length }}`,
]

const start = '{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{% macro again(x) %}{{ again([x, x]) }}{% endmacro %}{% set ns = namespace() %}'
const sizes = [3, 40, 59, 700, 5000, 30_000, 99_999, 1_000_000, 30_000_000]

/** `count` templates, each with its growth and expression as a name; the same for the same seed. */
export function costlyTemplates(count, seed = 1) {
  const random = randomNumbers(seed)
  const pick = list => list[Math.floor(random() * list.length)]
  return Array.from({ length: count }, () => {
    const [growth, expression, size] = [pick(Object.keys(growths)), pick(expressions), pick(sizes)]
    return { name: `${growth}, ${size}: ${expression}`, source: start + growths[growth](size) + pick(places)(expression) }
  })
}
