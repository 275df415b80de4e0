// Generates C++ from the contract: how the binding reads options, the sampling options of the native program, and a test of the
// engine's own defaults and ranges.
import { argumentsOf } from './offers.mjs'
import { optionsOf, pick } from './load.mjs'
import { written } from './text.mjs'

/** For each function of the binding: the structure that it fills, and the options that it reads. */
const readers = [
  ['generate_options', 'runtime::GenerateOptions', 'GenerateOptions'],
  ['load_options', 'runtime::LoadOptions', 'LoadOptions'],
  ['embedding_form', 'runtime::EmbeddingForm', 'EmbedOptions'],
]

const optionsNamed = ({ groups }, name) => optionsOf(groups.find(group => group.name === name))

function bindingFile(contract) {
  const functions = readers.map(([name, type, group]) => {
    const lines = pick(optionsNamed(contract, group), ({ engine }) => engine !== undefined).map(
      ([option, { engine }]) => `  read_option(options, "${option}", ${engine === '' ? 'read' : `read.${engine}`});\n`,
    )
    return `inline ${type} ${name}(const val& options) {\n  ${type} read;\n${lines.join('')}  return read;\n}\n`
  })
  return [
    'bindings/embind/options.hpp',
    `${written("the options of JavaScript's calls as the engine's.")}#pragma once

#include "convert.hpp"
#include "runtime/generate.hpp"
#include "runtime/load.hpp"
#include "runtime/pooling.hpp"

namespace heed::bindings {

${functions.join('\n')}
}  // namespace heed::bindings
`,
  ]
}

/** The sampling options that the program takes as numbers. */
function programFile(contract) {
  const options = optionsNamed(contract, 'GenerateOptions')
  const [, entries] = argumentsOf(contract).find(([group]) => group === 'sampling')
  const lines = entries
    .filter(([, , { native }]) => native)
    .map(([name, option, { short, native }]) => {
      const flags = `${short ? `-${short},` : ''}--${name}`
      return `  add("${flags}", options.${options[option].engine}, ${JSON.stringify(native)});\n`
    })
  return [
    'tools/cli/sampling_options.hpp',
    `${written('the options of sampling that are numbers.')}#pragma once

#include "runtime/generate.hpp"

namespace heed::cli {

/// Calls \`add\` with the name of each option, the field that it sets, and its purpose.
template <class Add>
void add_sampling_options(runtime::GenerateOptions& options, const Add& add) {
${lines.join('')}}

}  // namespace heed::cli
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

export const nativeFiles = contract => [bindingFile(contract), programFile(contract), testFile(contract)]
