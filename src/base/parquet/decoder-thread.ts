import { parentPort, workerData } from "node:worker_threads";
import { decodeFile } from "./decode-file.js";

/** What a thread is told: the footer of the file that it decodes from now on, or what the last step asks for. */
export interface Message {
  readonly footer?: Uint8Array;
  readonly keepsNulls?: boolean;
  readonly bytes?: Uint8Array | undefined;
}

let steps: ReturnType<typeof decodeFile> | undefined;

/** A thread that decodes files, one after the other: it answers each message with the next step. */
parentPort?.on("message", ({ footer, keepsNulls, bytes }: Message) => {
  try {
    if (footer !== undefined) steps = decodeFile(footer, workerData, keepsNulls);
    const step = steps?.next(bytes).value;
    const isText = step !== undefined && "lines" in step;
    parentPort?.postMessage({ step }, isText ? [step.lines.buffer] : []);
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
