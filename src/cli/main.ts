#!/usr/bin/env node
import module from "node:module";
import { announceInterruption, reportFailure } from "./failure.js";

const { stdin, stdout, stderr, env } = process;
announceInterruption(stderr);
// Where Node has it, the next start need not compile the program again.
if ("enableCompileCache" in module && typeof module.enableCompileCache === "function") {
  module.enableCompileCache();
}
try {
  // Lazy, so that too few open files for its modules are reported like any other failure.
  const { run } = await import("./run.js");
  const context = { stdin, stdout, stderr, cwd: process.cwd(), env };
  process.exitCode = await run(process.argv.slice(2), context);
} catch (error) {
  process.exitCode = reportFailure(error, stderr, env);
}
