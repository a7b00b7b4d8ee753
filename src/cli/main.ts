#!/usr/bin/env node
import { existsSync } from "node:fs";
import module from "node:module";
import { tmpdir } from "node:os";
import { setFlagsFromString } from "node:v8";
import { announceInterruption, reportFailure } from "./failure.js";

const { stdin, stdout, stderr, env } = process;
announceInterruption(stderr);
keepCompiledCode();
optimiseLater();
try {
  // Lazy, so that too few open files for its modules are reported like any other failure.
  const { run } = await import("./commands/index.js");
  const { findProgramCommand } = await import("./program-command.js");
  const cwd = process.cwd();
  const [, file = ""] = process.argv;
  const program = findProgramCommand({ file, runtime: process.argv0, env, cwd });
  const context = { stdin, stdout, stderr, cwd, env, program };
  process.exitCode = await run(process.argv.slice(2), context);
} catch (error) {
  process.exitCode = reportFailure(error, stderr, env);
}

/** From Node 22.1 on, the next start need not compile the program again. */
function keepCompiledCode(): void {
  if (!("enableCompileCache" in module && typeof module.enableCompileCache === "function")) return;
  // Node would create the temporary folder.
  if (existsSync(tmpdir())) module.enableCompileCache();
}

/**
 * Node 20 optimises so early that this takes up to half of the processor time of a command of a second, and 0.09 s for the
 * decoder of a small Parquet file, which is WebAssembly. Later versions wait longer, by other rules or these numbers.
 */
function optimiseLater(): void {
  if (Number.parseInt(process.versions.v8 ?? "", 10) >= 12) return;
  setFlagsFromString("--wasm-tiering-budget=13000000");
  // In bytes of bytecode that a function has run: 15 times the default.
  setFlagsFromString("--interrupt-budget=1000000");
}
