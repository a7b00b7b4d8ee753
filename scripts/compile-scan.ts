import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import asc from "assemblyscript/asc";
import { EXIT, UserError } from "../src/base/user-error.js";
import { createScript, runAsProgram } from "./run-script.js";

const SOURCE = "src/rollouts/wire/scan/assembly/scan-line.ts";
const COMPILED = "src/rollouts/wire/scan/scan-line-wasm.ts";

// Without a runtime library: the code manages its memory itself, two pages of which are not for lines, and
// never aborts.
const FLAGS = [
  ...["-O3", "--enable", "simd", "--initialMemory", "2"],
  ...["--runtime", "stub", "--use", "abort=", "--noAssert"],
];

export const run = createScript(
  {
    name: "compile:scan",
    summary: `Compiles ${SOURCE} (AssemblyScript) into ${COMPILED}.`,
    options: [["--check", "write nothing; exit 1 when the compiled file is not fresh"]],
  },
  async (options, { root, stdout }) => {
    const code = await compile(root);
    const text = print(code);
    const path = join(root, COMPILED);
    const isFresh = existsSync(path) && readFileSync(path, "utf8") === text;
    if (!isFresh && options.check === true) {
      stdout.write(`${COMPILED} is not what ${SOURCE} compiles to.  Fix:  npm run compile:scan\n`);
      return EXIT.findings;
    }
    if (!isFresh) writeFileSync(path, text);
    stdout.write(
      `${COMPILED}: ${code.length} bytes of WebAssembly, ${isFresh ? "fresh" : "changed"}\n`,
    );
    return EXIT.ok;
  },
);

async function compile(root: string): Promise<Uint8Array> {
  const written: Uint8Array[] = [];
  const { error, stderr } = await asc.main([SOURCE, "--outFile", "scan.wasm", ...FLAGS], {
    readFile: (name, folder) => {
      const path = join(root, folder, name);
      return existsSync(path) ? readFileSync(path, "utf8") : null;
    },
    writeFile: (_name, contents) => {
      if (typeof contents !== "string") written.push(contents);
    },
    listFiles: () => [],
  });
  const [code] = written;
  if (error !== null || code === undefined) {
    throw new UserError(`${SOURCE} cannot be compiled\n${stderr.toString()}`, EXIT.findings);
  }
  return code;
}

function print(code: Uint8Array): string {
  return [
    `// Compiled by \`npm run compile:scan\` from ${SOURCE}. Do not edit.`,
    `// AssemblyScript ${asc.version} ${FLAGS.join(" ")}`,
    "",
    "/** WebAssembly, in Base64. */",
    "export const SCAN_LINE_WASM =",
    `  "${Buffer.from(code).toString("base64")}";`,
    "",
  ].join("\n");
}

await runAsProgram(import.meta.url, run);
