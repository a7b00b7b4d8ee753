import type { Command } from "../command.js";
import { serve } from "../worker/serve.js";
import { outlineOf } from "./outlines.js";

/** Runs other commands for an engine such as Spark, which starts this program once for many of them. */
export const worker: Command = {
  ...outlineOf("worker"),
  options: [],
  examples: ["worker"],
  run: (_input, context, run) => serve(context, run),
};
