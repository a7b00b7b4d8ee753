import { spawnSync } from "node:child_process";
import { DEV_TOOLS, ensurePythonEnv } from "../conformance/python-env.js";
import { EXIT } from "../src/base/user-error.js";
import { createScript, runAsProgram } from "./run-script.js";

/**
 * Folders of Python code that is type-checked. `npm run test:full` also checks them for the newest Python, and runs
 * pyright on those of pyrightconfig.json.
 */
export const SOURCES = [
  "generated/python/rollout_wire",
  "generated/python/rollout_wire_pydantic",
  "integrations/python/rollout_wire_extras",
  "src/contract/codegen/python/runtime",
  "conformance/python",
  "conformance/package",
  "conformance/agreement/adapters",
];

export const PYTEST = ["-m", "pytest", "-q", "conformance/python"];

export const run = createScript(
  {
    name: "test-python",
    summary: "Type-checks the generated Python package and the adapters, and runs the tests.",
    options: [],
  },
  async (_options, { root, stdout }) => {
    const python = ensurePythonEnv(root, DEV_TOOLS);
    const checks: readonly (readonly [name: string, command: string, args: readonly string[]])[] = [
      [
        "mypy --strict, Python 3.10",
        python,
        ["-m", "mypy", "--python-version", "3.10", ...SOURCES],
      ],
      ["pytest", python, PYTEST],
    ];
    for (const [name, command, args] of checks) {
      stdout.write(`${name}\n`);
      const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
      if (status !== 0) return EXIT.findings;
    }
    return EXIT.ok;
  },
);

await runAsProgram(import.meta.url, run);
