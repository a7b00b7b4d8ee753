import type { CheckOutcome, ThingCount } from "../../conformance/check.js";
import type { Finding } from "../../src/base/findings/finding.js";
import { escapeControls, formatCount } from "../../src/base/text.js";
import { compareFiles, type Difference } from "../../src/contract/codegen/compare-files.js";
import { findFresh } from "../fingerprint.js";
import { printOutcome } from "./print-outcome.js";

/** Maximum number of lines shown of a difference; `npm run generate -- --check` shows all. */
const MAX_LINES = 20;

/**
 * Examines generated/ of the checkout at `root`: by the hashes that the last `npm run generate` recorded, and if they
 * differ, by generating it again. Of schema/, the generator only writes hashes, which the check `registry-hashes` covers.
 */
export async function checkGenerated(root: string): Promise<CheckOutcome> {
  const fresh = await findFresh(root);
  if (fresh === undefined) return await compareGenerated(root);
  const { fileCount, schemaCount } = fresh;
  return { checked: countThings(fileCount, schemaCount), findings: [] };
}

async function compareGenerated(root: string): Promise<CheckOutcome> {
  // The generator takes a second to load.
  const { generateFiles } = await import("../../src/contract/codegen/generate-files.js");
  const { files, schemaCount } = await generateFiles(root);
  const generated = files.filter(({ path }) => path.startsWith("generated/"));
  return {
    checked: countThings(generated.length, schemaCount),
    findings: toFindings(compareFiles(root, "generated", generated)),
  };
}

function countThings(files: number, schemas: number): ThingCount[] {
  return [
    { count: files, thing: "file" },
    { count: schemas, thing: "schema" },
  ];
}

/** One finding, because all differences have one cause and one fix. It shows the first file that differs. */
function toFindings(differences: readonly Difference[]): Finding[] {
  const shown = differences.find(({ kind }) => kind === "differs") ?? differences[0];
  if (shown === undefined) return [];
  const others = differences.filter((each) => each !== shown);
  const more = others.length === 0 ? "" : `; ${formatCount(others.length, "more file")} differ`;
  const lines = [
    ...(shown.kind === "differs" ? hunksOf(shown.patch) : []),
    ...others.map(({ kind, path }) => `${path} ${kind === "differs" ? "differs" : MESSAGES[kind]}`),
  ].map(escapeControls);
  const rest = lines.length > MAX_LINES ? [`... and ${lines.length - MAX_LINES} more lines`] : [];
  const detail = [...lines.slice(0, MAX_LINES), ...rest].join("\n");
  return [
    {
      id: IDS[shown.kind],
      severity: "error",
      file: shown.path,
      line: shown.kind === "differs" ? shown.line : 1,
      column: 1,
      pointer: "",
      message: `${MESSAGES[shown.kind]}${more}`,
      ...(lines.length > 0 && { detail }),
    },
  ];
}

const IDS = { differs: "stale", missing: "missing", unexpected: "unexpected" } as const;

const MESSAGES = {
  differs: "is not what the generator prints from the schemas",
  missing: "is missing",
  unexpected: "is unexpected: no schema generates it",
} as const;

/** The lines of a patch without its header, because the finding already names the file. */
function hunksOf(patch: string): string[] {
  const lines = patch.trimEnd().split("\n");
  return lines.slice(lines.findIndex((line) => line.startsWith("+++ ")) + 1);
}

await printOutcome(import.meta.url, checkGenerated);
