import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type InputSource, STDIN } from "../../../base/files/source.js";
import { guessType } from "../../../base/json/entry-type.js";
import { isJsonObject } from "../../../base/json/value.js";
import { previewValue } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { recogniseForm, takeSample } from "../import/recognise.js";

/** What files hold: ranked branches, captured ones without ranks, or logs that are to be imported. */
export type InputKind = "ranked" | "captured" | "logs";

/**
 * Tells by their first records what files hold. Nothing is read of pipes and standard input, because no output is locked
 * yet: they are taken to hold the same, and by themselves ranked branches, as is a file that shows nothing. Throws
 * UserError: exit 2 if the files are not of one kind, exit 3 if a file cannot be read.
 */
export async function tellInputs(
  files: readonly string[],
  source: InputSource,
): Promise<InputKind> {
  const told: [file: string, kind: InputKind][] = [];
  for (const file of files) {
    if (isRegular(file, source.cwd)) told.push([file, await tellFile(file, source)]);
  }
  const [first, ...others] = told;
  if (first === undefined) return "ranked";
  const other = others.find(([, kind]) => kind !== first[1]);
  if (other === undefined) return first[1];
  const [one, two] = [first, other].map(([file, kind]) => `${previewValue(file)} ${HOLDS[kind]}`);
  throw new UserError(`${one}, ${two}: export them one after the other`, EXIT.usage);
}

function isRegular(file: string, cwd: string): boolean {
  if (file === STDIN) return false;
  return statSync(resolve(cwd, file), { throwIfNoEntry: false })?.isFile() === true;
}

const HOLDS: Readonly<Record<InputKind, string>> = {
  ranked: "has ranked branches",
  captured: "has branches without ranks",
  logs: "is a log",
};

async function tellFile(file: string, source: InputSource): Promise<InputKind> {
  const sample = await takeSample(file, source);
  for (const record of sample) {
    const guess = isJsonObject(record) ? guessType(record) : undefined;
    if (guess?.isNear !== true) continue;
    if (guess.name === "RolloutBranchRecord") return "ranked";
    if (guess.name === "RolloutBranch") return "captured";
  }
  return recogniseForm(sample) === undefined ? "ranked" : "logs";
}
