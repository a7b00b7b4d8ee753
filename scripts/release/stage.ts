import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { APPROVALS_FILE, readApprovals } from "../../conformance/versions/approvals.js";
import { createTempFolder } from "../../src/base/files/temp.js";
import { FileFault, type Finding, toFindings } from "../../src/base/findings/finding.js";
import { isJsonObject } from "../../src/base/json/value.js";
import { CONFIG_FILE } from "../../src/base/package.js";
import { UserError } from "../../src/base/user-error.js";
import { compareFiles } from "../../src/contract/codegen/compare-files.js";
import { type Generation, generateFiles } from "../../src/contract/codegen/generate-files.js";
import { type GenerationPlan, readPlan } from "../../src/contract/codegen/plan.js";
import type { GeneratedFile } from "../../src/contract/codegen/target.js";
import { readJsonFile } from "../../src/contract/schemas/read-json-file.js";
import { REGISTRY_FILE } from "../../src/contract/schemas/registry-file.js";
import { addEntries, CHANGELOG, readChangelog } from "./changelog.js";
import type { ReleasePlan } from "./plan.js";
import type { PlannedRelease } from "./requirement.js";

export interface StagedReleases {
  /** Files to write atomically. */
  readonly files: readonly GeneratedFile[];
  /** What prevents it: schemas that the generator rejects, or stale generated code. */
  readonly findings: readonly Finding[];
}

/**
 * Publishes the releases in a copy of `root/schema`, runs the generator there to fill in the hashes, and
 * returns the new and changed files.
 */
export async function stageReleases(root: string, plan: ReleasePlan): Promise<StagedReleases> {
  const temp = createTempFolder();
  try {
    cpSync(join(root, "schema"), join(temp.path, "schema"), { recursive: true });
    const written = [
      ...plan.releases.map(({ change, file }) => ({ path: file, text: change.present.text })),
      { path: REGISTRY_FILE, text: printRegistry(root, plan.releases) },
      ...printApprovals(root, plan.approved),
      ...printChangelog(root, plan.releases),
    ];
    for (const { path, text } of written) writeBelow(temp.path, path, text);
    const configured = readPlan(root);
    if (configured === undefined) throw new UserError(`${CONFIG_FILE} names no schemas`);
    const generated = await tryToGenerate({ ...configured, root: temp.path });
    if ("fault" in generated) {
      return { files: [], findings: toFindings(root, generated.fault.places) };
    }
    const { files } = generated;
    const code = files.filter(({ isUpdate }) => !isUpdate);
    const stale = compareFiles({ ...generated, root, files: code }).slice(0, 1);
    const updated = files.filter(({ isUpdate }) => isUpdate);
    const hashed = new Map([...written, ...updated].map((file) => [file.path, file]));
    return {
      files: [...hashed.values()],
      findings: toFindings(
        root,
        stale.map(({ path }) => ({ id: "generated-fresh", file: path, message: STALE })),
      ),
    };
  } finally {
    temp.remove();
  }
}

const STALE = "is not what the generator prints from the schemas: npm run generate";

/** A schema that the generator rejects is a finding; any other error is rethrown. */
async function tryToGenerate(
  plan: GenerationPlan,
): Promise<Generation | { readonly fault: FileFault }> {
  try {
    return await generateFiles(plan);
  } catch (error) {
    if (error instanceof FileFault) return { fault: error };
    throw error;
  }
}

/** The registry with the new versions; the generator formats it. */
function printRegistry(root: string, releases: readonly PlannedRelease[]): string {
  const { value } = readJsonFile(root, REGISTRY_FILE);
  const schemas: readonly unknown[] = Array.isArray(value.schemas) ? value.schemas : [];
  const published = schemas.map((schema, index) => {
    const release = releases.find(({ change }) => change.index === index);
    if (release === undefined || !isJsonObject(schema)) return schema;
    return { ...schema, released: [...release.change.entry.released, release.file] };
  });
  return `${JSON.stringify({ ...value, schemas: published }, undefined, 2)}\n`;
}

/** The approvals without the used ones: a published schema is the new base, so nothing breaks any more. */
function printApprovals(root: string, approved: ReadonlySet<string>): GeneratedFile[] {
  const read = readApprovals(root);
  if (approved.size === 0 || "findings" in read) return [];
  const approvals = read.value.approvals.filter(({ fingerprint }) => !approved.has(fingerprint));
  return [{ path: APPROVALS_FILE, text: `${JSON.stringify({ approvals }, undefined, 2)}\n` }];
}

/** The changelog with the entries that it lacks. */
function printChangelog(root: string, releases: readonly PlannedRelease[]): GeneratedFile[] {
  const changelog = readChangelog(root);
  const text = addEntries(changelog, releases);
  return text === changelog ? [] : [{ path: CHANGELOG, text }];
}

function writeBelow(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
