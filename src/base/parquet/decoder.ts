import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { brotliDecompress } from "node:zlib";
import { loaderOptions } from "../loader-options.js";
import { findProgramFile } from "../program-file.js";
import type { DecodeStep } from "./decode-file.js";
import type { Message } from "./decoder-thread.js";

/** `decodeFile`, apart from the rest of the program. */
export interface Decoder {
  /**
   * As `next` of the generator. The bytes are moved to the decoder. Throws Error if the content is damaged or not
   * supported.
   */
  next(bytes?: Uint8Array<ArrayBuffer>): Promise<DecodeStep | undefined>;
  close(): Promise<void>;
}

/** What a thread answers. */
type Answer = { readonly step: DecodeStep | undefined } | { readonly error: unknown };

/** Decodes a file in a thread. Where Node may start none (--allow-worker), the caller decodes. */
export async function startDecoder(footer: Uint8Array, keepsNulls = false): Promise<Decoder> {
  return process.permission?.has("worker") === false
    ? await decodeHere(footer, keepsNulls)
    : new ThreadDecoder({ footer, keepsNulls }, await compileWasm());
}

/** Decodes a file on the calling thread. */
export async function decodeHere(footer: Uint8Array, keepsNulls = false): Promise<Decoder> {
  const { decodeFile } = await import("./decode-file.js");
  const steps = decodeFile(footer, await compileWasm(), keepsNulls);
  return { next: async (bytes) => steps.next(bytes).value, close: async () => {} };
}

declare global {
  namespace WebAssembly {
    // Missing from the types of Node.
    interface Module {}
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiles parquet-wasm, once for all threads. */
function compileWasm(): Promise<WebAssembly.Module> {
  compiled ??= readWasm().then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

/** It is published compressed, in a quarter of its bytes. */
async function readWasm(): Promise<Uint8Array> {
  const name = "parquet_wasm_bg.wasm";
  const packed = findProgramFile(`${name}.br`);
  if (packed !== undefined) return await promisify(brotliDecompress)(await readFile(packed));
  return await readFile(createRequire(import.meta.url).resolve(`parquet-wasm/esm/${name}`));
}

/** A thread that waits for the next file. */
let idle: Worker | undefined;

/** A thread that was given more is not used again: the memory of WebAssembly only grows. */
const REUSED_BYTES = 2 ** 24;

/** Objects take far less, apart from the bytes of rows. A damaged footer may ask for more than there is. */
const HEAP_MB = 1024;

class ThreadDecoder implements Decoder {
  readonly #thread: Worker;
  #message: Message;
  #given = 0;
  /** A thread that stopped at damage, or before the end, is of no further use. */
  #isAtEnd = false;

  constructor(message: Message, wasm: WebAssembly.Module) {
    this.#thread = idle ?? startThread(wasm);
    idle = undefined;
    this.#thread.ref();
    this.#message = message;
  }

  async next(bytes?: Uint8Array<ArrayBuffer>): Promise<DecodeStep | undefined> {
    const step = await this.#ask({ ...this.#message, bytes }, bytes ? [bytes.buffer] : []);
    this.#message = {};
    this.#given += bytes?.length ?? 0;
    this.#isAtEnd = step === undefined;
    return step;
  }

  #ask(message: Message, moved: readonly ArrayBuffer[]): Promise<DecodeStep | undefined> {
    return new Promise((resolve, reject) => {
      this.#thread.removeAllListeners().once("error", ({ message: reason }) => {
        reject(new Error(`its decoder ended: ${reason}`));
      });
      this.#thread.once("message", (answer: Answer) => {
        if ("error" in answer) reject(answer.error);
        else resolve(answer.step);
      });
      this.#thread.postMessage(message, moved);
    });
  }

  async close(): Promise<void> {
    if (this.#isAtEnd && this.#given <= REUSED_BYTES && idle === undefined) {
      idle = this.#thread;
      idle.unref();
    } else await this.#thread.terminate();
  }
}

function startThread(wasm: WebAssembly.Module): Worker {
  const path = findProgramFile("decoder-thread.js");
  const url = path
    ? pathToFileURL(path)
    : new URL(`.//decoder-thread${extname(import.meta.url)}`, import.meta.url);
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB };
  return new Worker(url, { workerData: wasm, resourceLimits, ...loaderOptions(url.href) });
}
