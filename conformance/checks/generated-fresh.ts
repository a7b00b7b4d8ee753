import type { Finding } from "../../src/base/findings/finding.js";
import { CONFIG_FILE } from "../../src/base/package.js";
import { escapeControls, formatCount } from "../../src/base/text.js";
import type { Difference } from "../../src/contract/codegen/compare-files.js";
import type { Check } from "../check.js";

/** Of schema/, the generator only writes hashes, which the check `registry-hashes` covers. */
export const generatedFresh: Check = {
  id: "generated-fresh",
  purpose: "Generated code is exactly what the generator prints from the schemas.",
  fix: "npm run generate",
  fixElsewhere: "run generate",
  async run({ root }) {
    // The generator takes a while to load, and the library must not load it.
    const { compareFiles, generateFiles, readPlan } = await import("../generator.js");
    const plan = readPlan(root);
    if (plan === undefined) return { checked: [], findings: [noPlan()] };
    const outputs = plan.outputs.filter(({ target }) => target !== "hashes");
    const generation = await generateFiles({ ...plan, outputs });
    return {
      checked: [
        { count: generation.files.length, thing: "file" },
        { count: generation.schemas.length, thing: "schema" },
      ],
      findings: toFindings(compareFiles(generation)),
    };
  },
};

function noPlan(): Finding {
  const message = `names no schemas of this repository: add "schemas" to ${CONFIG_FILE}`;
  const place = { file: CONFIG_FILE, line: 1, column: 1, pointer: "" };
  return { id: "config", severity: "error", ...place, message };
}

/** Maximum number of lines shown of a difference; `rollout-wire generate --check` shows all. */
const MAX_LINES = 20;

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
