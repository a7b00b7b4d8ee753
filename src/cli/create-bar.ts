import { SingleBar } from "cli-progress";
import type { OutputStream } from "./command.js";

/** The bar of every command, which shows a `phase` and `figures` and goes away at the end. */
export function createBar(stream: OutputStream): SingleBar {
  return new SingleBar({
    format: "  {phase}{bar} {percentage} %   {figures}",
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 20,
    stream,
    fps: 5,
    hideCursor: null,
    clearOnComplete: true,
    gracefulExit: false,
  });
}
