import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type ExtractorMessage,
} from "@microsoft/api-extractor";
import { EXIT, UserError } from "../src/base/user-error.js";
import { createScript, runAsProgram } from "./run-script.js";

export const API_PAGE = "docs/api.md";

/** The hand-written entry points of the package, with the module whose declarations they publish. */
const ENTRY_POINTS = {
  "rollout-wire": "src/index",
  "rollout-wire/eliza": "src/rollouts/eliza/index",
  "rollout-wire/conformance": "conformance/index",
};

const INTRODUCTION = `# The library

Every declaration that the modules of the package export. Written by \`npm run api\` from the sources, where the comments are;
an editor shows them.

| module | contains | needs Node, Bun or Deno |
| --- | --- | --- |
| \`rollout-wire\` | what producers and consumers of records use: below | yes |
| \`rollout-wire/types\` | every generated type and constant | no |
| \`rollout-wire/validators\` | a guard for each type of a record, \`findErrors\`, Standard Schemas | no |
| \`rollout-wire/schema\` | the schema documents of records; as files, all of them: \`rollout-wire/schema/*.json\` | no |
| \`rollout-wire/export\` | the builders of training records, which \`rollout-wire\` exports too | no |
| \`rollout-wire/reports\` | types of what the program itself writes and reads (reports, lock, configuration), and a guard for each | no |
| \`rollout-wire/eliza\` | the plugin for elizaOS: below | yes |
| \`rollout-wire/conformance\` | hashes, registry and rules, to verify copies: below | yes |

All are ECMAScript modules. \`require("rollout-wire")\` works in CommonJS from Node 20.19 and 22.12. The modules
that need no runtime run in browsers too ([example](../examples/browser/README.md)).
`;

/** Writes the page, or only compares it. */
export const run = createScript(
  {
    name: "write-api",
    summary: `Writes ${API_PAGE} from the declarations of the package.`,
    options: [["--check", "write nothing; exit 1 if the page is out of date"]],
  },
  async ({ check }, { root, stderr }) => {
    writeDeclarations(root);
    const sections = Object.entries(ENTRY_POINTS).map(([name, module]) =>
      printSection(root, name, module),
    );
    const page = [INTRODUCTION, ...sections].join("\n");
    const file = join(root, API_PAGE);
    if (check !== true) {
      writeFileSync(file, page);
      return EXIT.ok;
    }
    if (readFileSync(file, "utf8") === page) return EXIT.ok;
    stderr.write(`${API_PAGE} is out of date: run npm run api, and read what changed\n`);
    return EXIT.findings;
  },
);

/** Throws UserError (exit 1) if the sources do not compile. */
function writeDeclarations(root: string): void {
  const tsc = join(root, "node_modules/.bin/tsc");
  const { status, error } = spawnSync(tsc, ["-p", "tsconfig.build.json"], { cwd: root });
  if (error !== undefined) throw error;
  if (status !== 0) {
    throw new UserError("the library does not compile: see npm run typecheck", EXIT.findings);
  }
}

function printSection(root: string, name: string, module: string): string {
  return `## ${name}\n\n${extract(root, join(root, "dist", `${module}.d.ts`))}`;
}

/** The exported declarations of a module, sorted by name, in a block of code. */
function extract(root: string, entryPoint: string): string {
  const folder = mkdtempSync(join(tmpdir(), "rollout-wire-api-"));
  const none = { default: { logLevel: ExtractorLogLevel.None } };
  try {
    const config = ExtractorConfig.prepare({
      configObject: {
        projectFolder: root,
        mainEntryPointFilePath: entryPoint,
        compiler: { overrideTsconfig: toTsconfig(root, entryPoint) },
        apiReport: {
          enabled: true,
          reportFileName: "report.api.md",
          reportFolder: folder,
          reportTempFolder: join(folder, "temp"),
        },
        messages: { extractorMessageReporting: none, tsdocMessageReporting: none },
      },
      configObjectFullPath: undefined,
      packageJsonFullPath: join(root, "package.json"),
    });
    // Only errors are printed.
    const messageCallback = (message: ExtractorMessage): void => {
      message.handled = message.logLevel !== ExtractorLogLevel.Error;
    };
    const { succeeded } = Extractor.invoke(config, { localBuild: true, messageCallback });
    if (!succeeded) throw new UserError(`${entryPoint}: no page can be made of it`, EXIT.findings);
    const report = readFileSync(join(folder, "report.api.md"), "utf8").replaceAll("\r\n", "\n");
    return report.slice(report.indexOf("```ts"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Its compiler knows no option newer than itself. */
function toTsconfig(root: string, entryPoint: string): object {
  return {
    compilerOptions: {
      module: "nodenext",
      target: "es2023",
      lib: ["es2023"],
      typeRoots: [join(root, "node_modules/@types")],
      types: ["node"],
      strict: true,
      skipLibCheck: true,
    },
    files: [entryPoint],
  };
}

await runAsProgram(import.meta.url, run);
