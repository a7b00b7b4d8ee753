import { spawnSync } from "node:child_process";
import { cpSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Output } from "#generated/index.js";
import { createTempFolder, type TempFolder } from "../../src/base/files/temp.js";
import { CONFIG_FILE, packageRoot } from "../../src/base/package.js";
import type { LinkedSchemas } from "../../src/contract/codegen/front/link-files.js";
import { dataclassesOf } from "../../src/contract/codegen/python/runtime.js";
import type { SourceSchema } from "../../src/contract/schemas/definitions.js";
import { DEV_TOOLS, ensurePythonEnv } from "../python-env.js";
import { JUDGES, type Workspace } from "../workspace.js";
import type { Adapter, Implementation } from "./adapter.js";
import { createAjvReferee } from "./ajv-referee.js";
import { fromAdapter } from "./run-adapter.js";

/** The implementations of a repository, and what they need on disk while they run. */
export interface Implementations {
  readonly list: readonly Implementation[];
  /** The referees that take no part, with what would install them. */
  readonly missing: readonly string[];
  remove(): void;
}

/**
 * What judges records in a repository: its generated code as it is on disk, two referees, and the programs that the user
 * adds. The first one is the reference for the others. The referee `jsonschema-rs` takes part if Python has it.
 *
 * Throws UserError if a temporary folder cannot be created, or the tools of our own repository cannot be installed.
 */
export function openImplementations(
  workspace: Workspace,
  linked: LinkedSchemas,
  foreign: readonly Adapter[],
): Implementations {
  const { root, isOurs } = workspace;
  const python = isOurs ? ensurePythonEnv(root, DEV_TOOLS) : "python3";
  const folder = createTempFolder();
  const setting = { root, python, folder, outputs: workspace.outputs };
  const added = [...workspace.adapters, ...foreign];
  const isThere = isOurs || hasReferee(python);
  return {
    list: [
      ...workspace.outputs.flatMap((output) => ofOutput(output, setting)),
      createAjvReferee(linked.definitions),
      ...(isThere ? [ofReferee(linked, workspace.assertsFormats, setting)] : []),
      ...added.map((adapter) => fromAdapter({ cwd: root, ...adapter }, CONFIG_FILE)),
    ],
    missing: isThere ? [] : [`${REFEREE}: python3 -m pip install ${REFEREE}`],
    remove: () => folder.remove(),
  };
}

interface Setting {
  readonly root: string;
  /** The command that runs Python. */
  readonly python: string;
  readonly folder: TempFolder;
  readonly outputs: readonly Output[];
}

/** A folder of generated code as it is on disk; none if it judges nothing. */
function ofOutput(output: Output, setting: Setting): Implementation[] {
  const { target, folder } = output;
  if (!JUDGES.includes(target)) return [];
  const { root, outputs } = setting;
  const same = outputs.filter((each) => each.target === target);
  const name = target === "validators" ? "typescript" : target;
  const id = same[0]?.folder === folder ? name : `${name} in ${folder}`;
  const [program, ...args] =
    target === "validators"
      ? [process.execPath, programOf("typescript.mjs"), copyModules(folder, setting)]
      : [
          setting.python,
          programOf("python.py"),
          join(root, folder),
          join(root, target === "python" ? folder : dataclassesOf(folder, outputs)),
        ];
  const adapter = { id, command: program ?? "", args, env: QUIET };
  return [{ ...fromAdapter(adapter, folder), isGenerated: true }];
}

/** Python writes no caches into folders of generated code. */
const QUIET = { PYTHONDONTWRITEBYTECODE: "1" };

function programOf(name: string): string {
  return join(packageRoot(), "conformance/agreement/adapters", name);
}

/** Copies modules to where they are ECMAScript modules, whatever package they are in; returns that of the validators. */
function copyModules(folder: string, { root, folder: { path }, outputs }: Setting): string {
  const copy = join(path, String(outputs.findIndex((each) => each.folder === folder)));
  const isWanted = (source: string): boolean => {
    const isFolder = statSync(source).isDirectory();
    return isFolder ? basename(source) !== "node_modules" : source.endsWith(".js");
  };
  const isThere = statSync(join(root, folder), { throwIfNoEntry: false }) !== undefined;
  if (isThere) cpSync(join(root, folder), copy, { recursive: true, filter: isWanted });
  writeFileSync(join(path, "package.json"), '{"type":"module"}');
  return join(copy, "validators.js");
}

const REFEREE = "jsonschema-rs";

/** Whether Python has the package, which nobody must install. */
function hasReferee(python: string): boolean {
  return spawnSync(python, ["-c", "import jsonschema_rs"]).status === 0;
}

/** It reads the schemas as their owner wrote them. */
function ofReferee(
  { schemas, definitions }: LinkedSchemas,
  asserts: boolean,
  { root, python, folder }: Setting,
): Implementation {
  const files = schemas.filter(({ file }) => !URL.canParse(file));
  const types = [...definitions.values()].map(({ name, schema, pointer }) => {
    const fragment = pointer.split("/").map(encodeURIComponent).join("/");
    return [name, `${uriOf(schema)}#${fragment}`];
  });
  const plan = join(folder.path, "referee.json");
  const text = JSON.stringify({
    files: Object.fromEntries(files.map((each) => [uriOf(each), join(root, each.file)])),
    types: Object.fromEntries(types),
    formats: asserts,
  });
  writeFileSync(plan, text);
  const args = [programOf("referee_jsonschema_rs.py"), plan];
  return fromAdapter({ id: REFEREE, command: python, args, env: QUIET }, CONFIG_FILE);
}

/** The URI by which references find a schema: that of its own, or of its file. */
function uriOf({ file, document: { $id, id } }: SourceSchema): string {
  const own = [$id, id, file].find((each) => typeof each === "string" && URL.canParse(each));
  return typeof own === "string" ? own.replace(/#$/, "") : `files:///${encodeURI(file)}`;
}
