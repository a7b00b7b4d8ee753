import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { loaderOptions } from "../loader-options.js";
import { findProgramFile } from "../program-file.js";
import type { DecodeStep } from "./decode-file.js";

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

/**
 * Starts a thread for a file: the memory of WebAssembly only grows, and is given back with it, and one that stopped at
 * damage is of no further use. Where Node may start none (--allow-worker), the caller decodes.
 */
export async function startDecoder(footer: Uint8Array): Promise<Decoder> {
  return process.permission?.has("worker") === false
    ? await decodeHere(footer)
    : new DecoderThread(footer);
}

/** Decodes a file on the calling thread. */
export async function decodeHere(footer: Uint8Array): Promise<Decoder> {
  const { decodeFile } = await import("./decode-file.js");
  const steps = decodeFile(footer);
  return { next: async (bytes) => steps.next(bytes).value, close: async () => {} };
}

class DecoderThread implements Decoder {
  readonly #thread: Worker;

  constructor(footer: Uint8Array) {
    const path = findProgramFile("decoder-thread.js");
    const url = path
      ? pathToFileURL(path)
      : new URL(`.//decoder-thread${extname(import.meta.url)}`, import.meta.url);
    this.#thread = new Worker(url, { workerData: footer, ...loaderOptions(url.href) });
  }

  next(bytes?: Uint8Array<ArrayBuffer>): Promise<DecodeStep | undefined> {
    return new Promise((resolve, reject) => {
      this.#thread.removeAllListeners().once("error", ({ message }) => {
        reject(new Error(`its decoder ended: ${message}`));
      });
      this.#thread.once("message", (answer: Answer) => {
        if ("error" in answer) reject(answer.error);
        else resolve(answer.step);
      });
      this.#thread.postMessage(bytes, bytes === undefined ? [] : [bytes.buffer]);
    });
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
