import type { CheckOutcome, ThingCount } from "../../conformance/check.js";
import type { Finding } from "../../src/findings/finding.js";
import { escapeControls } from "../../src/text.js";
import { compareFiles, type Difference } from "../codegen/compare-files.js";
import { findFresh } from "../codegen/fingerprint.js";
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
  const { generateFiles } = await import("../codegen/generate-files.js");
  const { files, schemaCount } = await generateFiles(root);
  const generated = files.filter(({ path }) => path.startsWith("generated/"));
  return {
    checked: countThings(generated.length, schemaCount),
    findings: compareFiles(root, "generated", generated).map(toFinding),
  };
}

function countThings(files: number, schemas: number): ThingCount[] {
  return [
    { count: files, thing: "file" },
    { count: schemas, thing: "schema" },
  ];
}

function toFinding(difference: Difference): Finding {
  const { kind, path } = difference;
  const place = { severity: "error", file: path, column: 1, pointer: "" } as const;
  if (kind === "missing") return { ...place, id: kind, line: 1, message: "is missing" };
  if (kind === "unexpected") {
    return { ...place, id: kind, line: 1, message: "is unexpected: no schema generates it" };
  }
  const lines = hunksOf(difference.patch).map(escapeControls);
  const rest = lines.length > MAX_LINES ? [`... and ${lines.length - MAX_LINES} more lines`] : [];
  return {
    ...place,
    id: "stale",
    line: difference.line,
    message: "is not what the generator prints from the schemas",
    detail: [...lines.slice(0, MAX_LINES), ...rest].join("\n"),
  };
}

/** The lines of a patch without its header, because the finding already names the file. */
function hunksOf(patch: string): string[] {
  const lines = patch.trimEnd().split("\n");
  return lines.slice(lines.findIndex((line) => line.startsWith("+++ ")) + 1);
}

await printOutcome(import.meta.url, checkGenerated);
