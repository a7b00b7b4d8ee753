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
import { writeDeclarations } from "./build.js";
import { createScript, runAsProgram } from "./run-script.js";

export const API_PAGE = "etc/api.md";

const INTRODUCTION = `# Declarations of the library

Every name that the modules of the package export, with its first sentence, then the declarations. Written by \`npm run api\`
from the sources, so that a review shows a change. [The library](../docs/library.md) says what they are for.
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
    const sections = Object.entries(readModules(root)).map(([name, declarations]) =>
      printSection(root, name, declarations),
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

/** The hand-written modules of the package, with the declarations that package.json names. */
function readModules(root: string): Record<string, string> {
  const { name, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const modules = Object.entries<{ readonly types?: string }>(exports).flatMap(
    ([path, { types }]) =>
      types?.startsWith("./dist/") === true ? [[path.replace(".", name), types]] : [],
  );
  return Object.fromEntries(modules);
}

function printSection(root: string, name: string, declarations: string): string {
  const { report, model } = extract(root, join(root, declarations));
  const names = readNames(model).map(([each, sentence]) => `| \`${each}\` | ${sentence} |`);
  return [`## ${name}\n`, "| name | |\n| --- | --- |", ...names, `\n${report}`].join("\n");
}

/** The exported names of a module, each with the first sentence of its comment. */
function readNames(model: ApiModel): [string, string][] {
  const members = model.members.flatMap(({ members }) => members ?? []);
  const sentences = new Map<string, string>();
  for (const { name = "", docComment = "" } of members) {
    const text = docComment
      .replaceAll(/^\s*\/?\*+\/?/gm, " ")
      .replaceAll(/\s+/g, " ")
      .trim();
    const [sentence = ""] = /^.*?\.(?= |$)/.exec(text) ?? [text];
    sentences.set(name, sentences.get(name) || sentence.replaceAll("|", "\\|"));
  }
  return [...sentences].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** A part of the model of a module that API Extractor writes. */
interface ApiModel {
  readonly members: readonly {
    readonly members?: readonly { readonly name?: string; readonly docComment?: string }[];
  }[];
}

interface ExtractedModule {
  /** The declarations, sorted by name, in a block of code. */
  readonly report: string;
  readonly model: ApiModel;
}

function extract(root: string, entryPoint: string): ExtractedModule {
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
        docModel: { enabled: true, apiJsonFilePath: join(folder, "model.json") },
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
    const model = JSON.parse(readFileSync(join(folder, "model.json"), "utf8"));
    return { report: report.slice(report.indexOf("```ts")), model };
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
