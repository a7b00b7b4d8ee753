import type { CheckOutcome } from "../../conformance/check.js";
import type { Finding } from "../../src/findings/finding.js";
import { escapeControls } from "../../src/text.js";
import { compareFiles, type Difference } from "../codegen/compare-files.js";
import { generateFiles } from "../codegen/generate-files.js";
import { printOutcome } from "./print-outcome.js";

/** Lines of a difference that are shown; all are, by `npm run generate -- --check`. */
const MAX_LINES = 20;

/** Looks at generated/ of the checkout at `root`. What it writes into schema/ are hashes, which `registry` checks. */
export async function checkGenerated(root: string): Promise<CheckOutcome> {
  const { files, schemaCount } = await generateFiles(root);
  const generated = files.filter(({ path }) => path.startsWith("generated/"));
  return {
    checked: [
      { count: generated.length, thing: "file" },
      { count: schemaCount, thing: "schema" },
    ],
    findings: compareFiles(root, "generated", generated).map(toFinding),
  };
}

function toFinding(difference: Difference): Finding {
  const { kind, path } = difference;
  const place = { severity: "error", file: path, column: 1, pointer: "" } as const;
  if (kind === "missing") return { ...place, id: kind, line: 1, message: "is missing" };
  if (kind === "unexpected") {
    return { ...place, id: kind, line: 1, message: "is there, but no schema generates it" };
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

/** The lines of a patch without its header, which names the file that the finding names. */
function hunksOf(patch: string): string[] {
  const lines = patch.trimEnd().split("\n");
  return lines.slice(lines.findIndex((line) => line.startsWith("+++ ")) + 1);
}

await printOutcome(import.meta.url, checkGenerated);
