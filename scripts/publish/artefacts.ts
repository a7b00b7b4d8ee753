import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DEV_TOOLS, ensurePythonEnv } from "../../conformance/python-env.js";
import { EXIT, UserError } from "../../src/base/user-error.js";
import { readChangelog, readSection } from "../release/changelog.js";
import { runTool } from "./run-tool.js";

/** Where a rehearsal leaves what a release publishes, from the repository's root. */
export const RELEASE_FOLDER = "out/release";

/** The Python packages that a release publishes, from the repository's root. */
const PYTHON_PROJECTS = ["integrations/python", "integrations/spark"] as const;

/** What a release publishes: paths from the repository's root. */
export interface Artefacts {
  readonly tarball: string;
  readonly wheel: string;
  readonly sdist: string;
  readonly sparkWheel: string;
  readonly sparkSdist: string;
  /** The hashes of these packages, as `sha256sum --check` reads them. */
  readonly sums: string;
  /** The section of the changelog. */
  readonly notes: string;
}

export function artefactsOf(version: string): Artefacts {
  return {
    tarball: `${RELEASE_FOLDER}/npm/rollout-wire-${version}.tgz`,
    wheel: `${RELEASE_FOLDER}/python/rollout_wire-${version}-py3-none-any.whl`,
    sdist: `${RELEASE_FOLDER}/python/rollout_wire-${version}.tar.gz`,
    sparkWheel: `${RELEASE_FOLDER}/python/rollout_wire_spark-${version}-py3-none-any.whl`,
    sparkSdist: `${RELEASE_FOLDER}/python/rollout_wire_spark-${version}.tar.gz`,
    sums: `${RELEASE_FOLDER}/SHA256SUMS`,
    notes: `${RELEASE_FOLDER}/notes.md`,
  };
}

/** Builds them anew. Throws UserError if a tool fails. */
export async function buildArtefacts(root: string, version: string): Promise<Artefacts> {
  const artefacts = artefactsOf(version);
  const folder = join(root, RELEASE_FOLDER);
  rmSync(folder, { recursive: true, force: true });
  for (const name of ["npm", "python"]) mkdirSync(join(folder, name), { recursive: true });
  await runTool("npm", ["pack", "--pack-destination", join(folder, "npm")], { cwd: root });
  for (const project of PYTHON_PROJECTS) await buildPython(root, project, join(folder, "python"));
  writeFileSync(join(root, artefacts.sums), printSums(root, artefacts));
  writeFileSync(join(root, artefacts.notes), readSection(readChangelog(root), version) ?? "");
  return artefacts;
}

/** Builds the sdist of a project, and the wheel from it. */
async function buildPython(root: string, project: string, destination: string): Promise<void> {
  const python = ensurePythonEnv(root, DEV_TOOLS);
  const source = join(root, project);
  await runTool(python, ["-m", "build", "--outdir", destination, source], { cwd: root });
}

/** Throws UserError if the artefacts are not there as they were built. */
export function verifyArtefacts(root: string, version: string): Artefacts {
  const artefacts = artefactsOf(version);
  const isThere = Object.values(artefacts).every((file) => existsSync(join(root, file)));
  if (isThere && readFileSync(join(root, artefacts.sums), "utf8") === printSums(root, artefacts)) {
    return artefacts;
  }
  throw new UserError(
    `${RELEASE_FOLDER} does not hold ${version} as it was built: npm run release:package -- --dry-run`,
    EXIT.findings,
  );
}

function printSums(root: string, { sums: _, notes: __, ...packages }: Artefacts): string {
  return Object.values(packages)
    .map((file) => {
      const hash = createHash("sha256").update(readFileSync(join(root, file)));
      return `${hash.digest("hex")}  ${basename(file)}\n`;
    })
    .join("");
}
