// The glue that Emscripten writes (cmake/wasm_module.cmake).
import type { CreateModule } from './engine.js'

declare const create: CreateModule
export default create
