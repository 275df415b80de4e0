# What few pages use is in a second WebAssembly module, heed-NAME-extra.wasm, which the engine's worker fetches when something asks for
# it (bindings/js/worker/extra.ts): the functions of these files, and what only they call. Both modules have one memory and one table.
#
# These files are compiled without link-time optimization, which would mix their functions with those of other files. What every model
# needs belongs into other files.
file(GLOB extra_sources CONFIGURE_DEPENDS
  src/base/extra.cpp src/audio/*.cpp src/audio/features/*.cpp src/images/*.cpp src/formats/whisper_file.cpp
  # Families other than those that most pages load (registry.cpp has all), their blocks and tokenizers; encoders and towers.
  src/models/*.cpp src/models/hearing/*.cpp src/models/vision/*.cpp src/nn/hearing/*.cpp src/runtime/hearing/sound_run.cpp
  src/nn/alt_up.cpp src/nn/audio_encoder.cpp src/nn/experts.cpp src/nn/kimi_delta.cpp src/nn/latent_attention.cpp
  src/nn/mamba.cpp src/nn/mamba2.cpp src/nn/patch_positions.cpp src/nn/picture_reader.cpp src/nn/position_bias.cpp src/nn/projector.cpp src/nn/routed_values.cpp src/nn/rwkv.cpp src/nn/vision.cpp
  src/runtime/audio_run.cpp src/runtime/encoder_run.cpp src/runtime/pictures/*.cpp src/runtime/pooling.cpp
  src/runtime/transcription/*.cpp src/runtime/unmasking.cpp src/runtime/vision_run.cpp
  src/engine/encodings.cpp src/engine/projector.cpp src/engine/transcription.cpp
  src/tokenizer/charsmap.cpp src/tokenizer/clip.cpp src/tokenizer/plamo.cpp
  src/tokenizer/unigram.cpp src/tokenizer/whisper.cpp src/tokenizer/whisper_tokens.cpp src/tokenizer/wordpiece.cpp
  # Drafts, adapters, edits and the lab.
  src/nn/adapters/*.cpp src/nn/assistant.cpp src/nn/dflash.cpp src/nn/draft_heads.cpp src/nn/drafts.cpp src/nn/eagle.cpp src/nn/head_terms.cpp
  src/runtime/attribution.cpp src/runtime/changes/*.cpp src/runtime/drafts/*.cpp src/runtime/forecast.cpp src/runtime/products.cpp
  src/runtime/states.cpp src/runtime/tensors.cpp
  src/engine/changes.cpp src/engine/states.cpp src/engine/variants.cpp)
list(FILTER extra_sources EXCLUDE REGEX
  "/src/models/(attention|check[a-z_]*|common|encoders|experts|gemma|gemma4|granite|hyperparameters|layers|lfm2|llama|mistral3|phi|qwen|qwen35|registry|rope|smollm3|state_space)\\.cpp$")
# Every text asks these whether it has changes, drafts and pictures.
list(FILTER extra_sources EXCLUDE REGEX "/src/runtime/(changes/changes|drafts/memory|pictures/pictures|pictures/placed_tiles)\\.cpp$")
list(REMOVE_ITEM engine_sources ${extra_sources})
# Kernels are in one file for each target. By their mangled names: weights that few files have (is_common in src/runtime/load.cpp), from
# MXFP4 on, and caches with blocks. And require_extra, which is small.
set(extra_names "11BlockPanelsI.*5DTypeE(15|1[7-9]|2[0-9])E|attend_blocks|9BlockTileI|12BlockQueriesI|8ByteDotsI|10NibbleDotsI|transfer_blocks|13require_extra")

add_library(heed_extra STATIC ${extra_sources})
target_include_directories(heed_extra PUBLIC src)
target_link_libraries(heed_extra PUBLIC heed_compile_options)

execute_process(COMMAND em-config LLVM_ROOT OUTPUT_VARIABLE llvm_root OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_program(HEED_NM NAMES llvm-nm llvm-nm-21 llvm-nm-22 llvm-nm-23 HINTS ${llvm_root} REQUIRED)

# Splits the module of a target in two (split.mjs), before their functions are sorted.
function(split_module target wasm extra)
  # Binaryen must neither inline nor merge functions across the border; each module has its turn afterwards.
  set(later duplicate-function-elimination inlining-optimizing)
  list(TRANSFORM later PREPEND ,--skip-pass= OUTPUT_VARIABLE skipped)
  list(JOIN skipped "" skipped)
  set_target_properties(${target} PROPERTIES HEED_SKIPPED_PASSES "${skipped}")
  target_link_options(${target} PRIVATE LINKER:--no-demangle)
  string(REPLACE "," ";" without ${skipped_passes})
  list(JOIN binaryen_features "," features)
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${HEED_NODE} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/split.mjs ${wasm} ${extra} ${HEED_NM} ${features} ${extra_names} --extra $<TARGET_FILE:heed_extra>
            --base $<TARGET_FILE:heed> $<TARGET_OBJECTS:${target}>)
  list(TRANSFORM later PREPEND --)
  foreach(module ${wasm} ${extra})
    add_custom_command(TARGET ${target} POST_BUILD VERBATIM
      COMMAND wasm-opt ${binaryen_features} ${without} --optimize-level=3 --shrink-level=0 ${later} ${module} -o ${module})
  endforeach()
endfunction()
