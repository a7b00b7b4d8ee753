import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Plugin } from "rolldown";

/** The thread that decodes Parquet. */
export const DECODER_THREAD = "src/base/parquet/decoder-thread.ts";

/** Puts the decoder, which is WebAssembly, beside the program. */
export const decoder: Plugin = {
  name: "decoder",
  generateBundle() {
    const wasm = "parquet-wasm/esm/parquet_wasm_bg.wasm";
    const source = readFileSync(createRequire(import.meta.url).resolve(wasm));
    this.emitFile({ type: "asset", fileName: "parquet_wasm_bg.wasm", source });
  },
};

/** The library has the thread and the decoder of the program: they are large. */
export const decoderOfProgram: Plugin = {
  name: "decoder-of-program",
  generateBundle() {
    const source = 'import "../bin/decoder-thread.js";\n';
    this.emitFile({ type: "asset", fileName: "chunks/decoder-thread.js", source });
  },
};
