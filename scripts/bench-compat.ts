import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DEV_TOOLS, ensurePythonEnv } from "../conformance/python-env.js";
import { EXIT } from "../src/base/user-error.js";
import { judgePair } from "../src/contract/compat/testing/judge-pair.js";
import { askOwn, askPeer, formatColumns, isRight, readPairs } from "./bench/compat.js";
import { ensurePackageFile } from "./bench/node-binaries.js";
import { createScript, REPO_ROOT, runAsProgram } from "./run-script.js";

const FIXTURES = join(REPO_ROOT, "fixtures", "compat");

/** The pairs of the fixtures, and those that lie beside a checkout. */
const PAIRS: readonly string[] = [
  ...readdirSync(FIXTURES)
    .filter((name) => name.endsWith("pairs.json"))
    .map((name) => join(FIXTURES, name)),
  ...[join(REPO_ROOT, "../shared/compat-pairs.json")].filter((file) => existsSync(file)),
];

const JSONCOMPAT = "0.4.2";

export const run = createScript(
  {
    name: "bench:compat",
    summary: "Compares the verdicts of diff, jsonschema_rs and jsoncompat with known correct ones.",
    operands: "[pairs...]",
    options: [],
  },
  async (_, { root, stdout }, files) => {
    const pairs = readPairs(files.length > 0 ? files : PAIRS);
    const python = ensurePythonEnv(root, DEV_TOOLS);
    const jsoncompat = ensurePackageFile(root, "jsoncompat", JSONCOMPAT, "jsoncompat_wasm.js");
    const peers = join(REPO_ROOT, "scripts/bench/peers");
    const judged = pairs.map((pair) => ({ pair, rulings: judgePair(pair) }));
    const own = askOwn(judged);
    const covers = askPeer("jsonschema_rs", [python, join(peers, "covers.py")], judged);
    const program = [process.execPath, join(peers, "jsoncompat.mjs"), jsoncompat];
    const other = askPeer("jsoncompat", program, judged);
    stdout.write(`${pairs.length} pairs, in both directions\n`);
    stdout.write(formatColumns([own, covers, other]));
    return isRight(own) ? EXIT.ok : EXIT.findings;
  },
);

await runAsProgram(import.meta.url, run);
