// Generates C++ from the contract: the options that the native program shares with `npx heed`, and a test of the engine's own defaults
// and ranges.
import { argumentsOf, groupsOfArguments } from './offers.mjs'
import { optionsNamed, pick } from './load.mjs'
import { spelled, written } from './text.mjs'

/** For each group of arguments in the native program, the structure that has a field for each of them. */
const structures = {
  sampling: 'runtime::GenerateOptions',
  form: 'ConstraintOptions',
  loading: 'runtime::LoadOptions',
  embedding: 'runtime::EmbeddingForm',
}

/** A call in C++, its last argument on a line of its own if the line would be too long. */
function callOf(start, args) {
  const line = `${start}(${args.join(', ')});\n`
  if (line.length <= 133) return line
  return `${start}(${args.slice(0, -1).join(', ')},\n${''.padEnd(start.length + 1)}${args.at(-1)});\n`
}

/** The first sentence of an option's docstring, without what is of JavaScript alone. */
const helpOf = ({ doc, argument: { many } }) =>
  [...doc.split(/[.:](?: |$)/)[0].split('; '), ...(many ? ['repeatable'] : [])]
    .filter(clause => !/^Infinity|`info\./.test(clause))
    .join('; ')
    .replaceAll('`', '')

/** A function of the native program that adds the options of a group to a command. */
function adderOf([group, entries], options) {
  const isReferred = ([, option, { alone, needs }]) => alone || needs || entries.some(([, , other]) => other.needs === option)
  const variable = option => spelled(option, '_')
  const lines = entries.map(entry => {
    const [name, option, { short, alias, value = '' }] = entry
    const { engine, kind } = options[option]
    const names = [short && `-${short}`, `--${name}`, alias && `--${alias}`].filter(Boolean).join()
    const start = isReferred(entry) ? `  auto* ${variable(option)} = add_option` : '  add_option'
    const field = `options.${engine || variable(option)}`
    const { least, most } = /^(integer|count)/.test(kind.read) ? kind.range : {}
    const check = most ? [`CLI::Range(${least}, ${most})`] : least > 0 ? ['CLI::PositiveNumber'] : [] // the engine checks the others
    return callOf(start, ['command', `"${names}"`, field, `"${value}"`, ...check, JSON.stringify(helpOf(options[option]))])
  })
  const alone = entries.filter(([, , argument]) => argument.alone).map(([, option]) => variable(option))
  const rules = [
    ...entries.flatMap(([, option, { needs }]) => (needs ? [`  ${variable(option)}->needs(${variable(needs)});\n`] : [])),
    ...alone.flatMap((one, at) => alone.slice(at + 1).map(other => `  ${one}->excludes(${other});\n`)),
  ]
  return `inline void add_${group}_options(CLI::App& command, ${structures[group]}& options) {\n${lines.join('')}${rules.join('')}}\n`
}

/** The options that the native program shares with `npx heed`. */
function programFile(contract) {
  const adders = argumentsOf(contract)
    .filter(([group]) => group in structures)
    .map(one => adderOf(one, optionsNamed(contract, groupsOfArguments[one[0]])))
  return [
    'tools/cli/options.generated.hpp',
    `${written('the options that the native program shares with npx heed.')}#pragma once

#include "cli/add_option.hpp"
#include "cli/constraint_options.hpp"
#include "runtime/generate.hpp"
#include "runtime/load.hpp"
#include "runtime/pooling.hpp"

// clang-format off: a long text stays one string
namespace heed::cli {

${adders.join('\n')}
}  // namespace heed::cli
// clang-format on
`,
  ]
}

const literal = (value, isFloat) => (isFloat ? `${Number.isInteger(value) ? `${value}.0` : value}f` : `${value}`)

function testFile(contract) {
  const options = pick(optionsNamed(contract, 'GenerateOptions'), ({ engine }) => engine)
  const isFloat = ({ kind }) => kind.read.startsWith('number') || kind.read === 'anyNumber'
  const values = options
    .filter(([, { default: value, engine }]) => value !== undefined && engine !== 'speculate')
    .map(([, option]) => `  CHECK(options.${option.engine} == ${literal(option.default, isFloat(option))});\n`)
  const ranges = options
    .filter(([, option]) => isFloat(option))
    .flatMap(([, { engine, kind }]) => {
      const field = `&SamplerOptions::${engine.replace('sampling.', '')}`
      const { least, above, most, below } = kind.range
      const at = (end, isTaken) =>
        end === undefined ? [] : [`  CHECK${isTaken ? '' : '_FALSE'}(takes(${field}, ${literal(end, true)}));\n`]
      const beside = (end, way) =>
        end === undefined ? [] : [`  CHECK_FALSE(takes(${field}, std::nextafter(${literal(end, true)}, ${way}kInfinity)));\n`]
      return [
        ...at(least, true),
        ...beside(least, '-'),
        ...at(above, false),
        ...at(most, true),
        ...beside(most, ''),
        ...at(below, false),
        `  CHECK(takes(${field}, ${literal(insideOf(kind.range), true)}));\n`,
        `  CHECK_FALSE(takes(${field}, kInfinity));\n`,
        `  CHECK_FALSE(takes(${field}, std::numeric_limits<float>::quiet_NaN()));\n`,
      ]
    })
  return [
    'tests/unit/sampling/contract_test.cpp',
    `${written("the engine's options of sampling have its defaults and ranges.")}#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "runtime/generate.hpp"
#include "sampling/sampler.hpp"
#include "support/infinity.hpp"

using heed::sampling::SamplerOptions;
using heed::test::kInfinity;

namespace {

bool takes(float SamplerOptions::* option, float value) {
  SamplerOptions options;
  options.*option = value;
  try {
    heed::sampling::check(options);
    return true;
  } catch (const heed::Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("Options of sampling have the defaults of the contract", "[sampling]") {
  const heed::runtime::GenerateOptions options;
${values.join('')}}

TEST_CASE("Options of sampling have the ranges of the contract", "[sampling]") {
${ranges.join('')}}
`,
  ]
}

const insideOf = ({ least, above, most, below }) => {
  const from = least ?? above ?? -1
  return (from + (most ?? below ?? from + 2)) / 2
}

export const nativeFiles = contract => [programFile(contract), testFile(contract)]
