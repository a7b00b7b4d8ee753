import { parentPort, workerData } from "node:worker_threads";
import { decodeFile } from "./decode-file.js";

/** A thread that decodes one file: it answers each message with the next step. */
const steps = decodeFile(workerData);

parentPort?.on("message", (bytes?: Uint8Array) => {
  try {
    const step = steps.next(bytes).value;
    parentPort?.postMessage(
      { step },
      step !== undefined && "lines" in step ? [step.lines.buffer] : [],
    );
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
