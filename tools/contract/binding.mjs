// Generates C++ of the binding: how it reads options, how it makes results, and the methods that JavaScript calls.
import { interfacesIn } from './declared.mjs'
import { optionsNamed, pick } from './load.mjs'
import { spelled, written } from './text.mjs'

/** For each function of the binding: the structure that it fills, and the options that it reads. */
const readers = [
  ['generate_options', 'runtime::GenerateOptions', 'GenerateOptions'],
  ['load_options', 'runtime::LoadOptions', 'LoadOptions'],
  ['embedding_form', 'runtime::EmbeddingForm', 'EmbedOptions'],
  ['transcribe_options', 'runtime::TranscribeOptions', 'TranscribeOptions'],
]

function optionsFile(contract) {
  const functions = readers.map(([name, type, group]) => {
    const lines = pick(optionsNamed(contract, group), ({ engine }) => engine !== undefined).map(
      ([option, { engine }]) => `  read_option(options, "${option}", ${engine === '' ? 'read' : `read.${engine}`});\n`,
    )
    return `inline ${type} ${name}(const val& options) {\n  ${type} read;\n${lines.join('')}  return read;\n}\n`
  })
  return [
    'bindings/embind/options.generated.hpp',
    `${written("converts the options of JavaScript's calls to the engine's.")}#pragma once

#include "convert.hpp"
#include "runtime/generate.hpp"
#include "runtime/load.hpp"
#include "runtime/pooling.hpp"
#include "runtime/transcription/transcription.hpp"

namespace heed::bindings {

${functions.join('\n')}
}  // namespace heed::bindings
`,
  ]
}

/** The functions that make results for JavaScript. */
function resultsFile({ results }) {
  const interfaces = new Map([...interfacesIn('types/results.ts')])
  const functions = Object.entries(results).map(([name, { from, less = [], fields = {} }]) => {
    const lines = interfaces
      .get(name)
      .filter(([field]) => !less.includes(field))
      .map(([field]) => `  object.set("${field}", ${fields[field] ?? `from.${spelled(field, '_')}`});\n`)
    return `inline val to_javascript(const ${from}& from) {\n  Object object;\n${lines.join('')}  return object;\n}\n`
  })
  return [
    'bindings/embind/results.generated.hpp',
    `${written("converts the engine's results to JavaScript's.")}#pragma once

#include "convert.hpp"
#include "engine/engine.hpp"
#include "runtime/generate.hpp"
#include "runtime/model.hpp"

namespace heed::bindings {

${functions.join('\n')}
}  // namespace heed::bindings
`,
  ]
}

/** The registration of the methods that bindings/js/worker/engine.ts declares of the engine's objects. */
function methodsFile() {
  const interfaces = interfacesIn('worker/engine.ts')
  const objects = ['Engine', 'DecoderRun', 'PictureReading', 'Transcription']
  const functions = objects.map(object => {
    const methods = interfaces
      .get(object)
      .filter(([name]) => name !== 'delete') // Embind's own
      .map(([name, result]) => {
        const more = objects.includes(result) ? ', emscripten::allow_raw_pointers()' : ''
        return `      .function("${name}", &Guarded<&Class::${spelled(name, '_')}>::call${more})\n`
      })
    return `template <class Class>\nauto register_${spelled(object, '_').slice(1)}() {\n  return emscripten::class_<Class>("${object}")\n${methods.join('').trimEnd()};\n}\n`
  })
  return [
    'bindings/embind/methods.generated.hpp',
    `${written("the methods of the engine's objects that bindings/js/worker/engine.ts declares.")}#pragma once

#include <emscripten/bind.h>

#include "guard.hpp"

namespace heed::bindings {

${functions.join('\n')}
}  // namespace heed::bindings
`,
  ]
}

export const bindingFiles = contract => [optionsFile(contract), resultsFile(contract), methodsFile()]
