import { spawnSync } from "node:child_process";
import { join, posix } from "node:path";
import { DEV_TOOLS, ensurePythonEnv } from "../../../../conformance/python-env.js";
import type { JsonObject } from "../../../base/json/value.js";
import { packageRoot } from "../../../base/package.js";
import type { Dialect } from "../schema/dialects.js";

/** One version of a schema: a document and the files beside it, by path. */
export interface VersionFiles {
  readonly dialect: Exclude<Dialect["name"], "draft-06" | "draft-04">;
  readonly path: string;
  readonly files: ReadonlyMap<string, JsonObject>;
  /** JSON Pointer, after `#`, of the only type to be compared. */
  readonly fragment?: string | undefined;
}

/** Which of these values are valid at a pointer of a document. */
export interface Question {
  readonly version: VersionFiles;
  /** JSON Pointer in the document; undefined for the schema that rejects everything. */
  readonly pointer: string | undefined;
  readonly values: readonly unknown[];
}

/** For each value whether it is valid; or why the validator refuses the schema. */
export type Answer = readonly boolean[] | string;

/** The folder of the files, deep enough for every `../`. */
const FOLDER = "file:///w/x/y/z/";

/** Asks jsonschema_rs, which shares no code with `diff` or Ajv, in one process. */
export function askJudge(questions: readonly Question[]): Answer[] {
  return ask(questions.map((each) => ({ ...toSide(each), values: each.values }))).map(toAnswer);
}

/** Asks its solver whether each reader accepts all that the writer may write. Undefined if it does not decide. */
export function askSolver(
  pairs: readonly (readonly [writer: Question, reader: Question])[],
): (boolean | undefined)[] {
  const lines = ask(
    pairs.map(([writer, reader]) => ({ ...toSide(reader), writer: toSide(writer) })),
  );
  return lines.map((line) => (line === '"yes"' ? true : line === '"no"' ? false : undefined));
}

function ask(questions: readonly JsonObject[]): string[] {
  const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
  const { stdout, stderr, status } = spawnSync(
    python,
    [join(packageRoot(), "conformance/python/judge_schemas.py")],
    {
      input: questions.map((each) => `${JSON.stringify(each)}\n`).join(""),
      ...{ encoding: "utf8", maxBuffer: 2 ** 30 },
    },
  );
  if (status !== 0) throw new Error(`the judge ended with code ${status}: ${stderr}`);
  const answers = stdout.split("\n").slice(0, -1);
  if (answers.length !== questions.length) throw new Error(`the judge stopped: ${stderr}`);
  return answers;
}

function toSide({ version, pointer }: Question): JsonObject {
  const schema = pointer === undefined ? null : `${FOLDER}${version.path}#${encodeURI(pointer)}`;
  return { documents: documentsOf(version), dialect: version.dialect, schema };
}

function toAnswer(line: string): Answer {
  const answer: unknown = JSON.parse(line);
  if (typeof answer === "string") return answer;
  if (Array.isArray(answer)) return answer.map((each) => each === true);
  throw new Error(`the judge answered ${line}`);
}

/**
 * Every file under each URI by which a reference may lead to it: its place in the folder, its `$id`, and its place seen
 * from another file under any of these.
 */
function documentsOf({ files }: VersionFiles): [uri: string, schema: JsonObject][] {
  const places = new Map<string, string>();
  for (const [path, { $id }] of files) {
    places.set(new URL(path, FOLDER).href, path);
    if (typeof $id === "string") places.set($id, path);
  }
  // Twice: once from each `$id`, once from the places that this adds.
  for (const _ of [1, 2]) {
    for (const [base, from] of [...places]) {
      for (const path of files.keys()) {
        const uri = new URL(posix.relative(posix.dirname(from), path), base).href;
        if (!places.has(uri)) places.set(uri, path);
      }
    }
  }
  // A reference may omit the ending.
  for (const [uri, path] of [...places]) {
    const short = uri.replace(/(\.schema)?\.json$/, "");
    if (!places.has(short)) places.set(short, path);
  }
  return [...places].map(([uri, path]) => {
    const { $id: _, ...content } = files.get(path) ?? {};
    return [uri, content];
  });
}
