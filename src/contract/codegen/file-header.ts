import { memoize } from "../../base/memoize.js";
import { escapeControls } from "../../base/text.js";
import type { SourceSchema } from "../schemas/definitions.js";
import { contractHash } from "../schemas/hashes.js";
import { FIRST_LINE } from "./files.js";
import { type CodegenInput, readManifest } from "./target.js";

/** What a generated file was made from. A part of the runtime, which is copied as it is, is made from no schemas. */
export type Origin = Pick<CodegenInput, "schemas"> & Partial<Pick<CodegenInput, "formats">>;

/**
 * The first lines of every generated file. `printer` is the package whose printer it uses, if it is not this one. They
 * contain no date, so that two runs give the same bytes.
 */
export function headerLines({ formats, schemas }: Origin, printer?: string): string[] {
  const tools = [readManifest(), ...(printer === undefined ? [] : [readManifest(printer)])];
  return [
    FIRST_LINE,
    `Generator: ${tools.map(({ name, version }) => `${name} ${version}`).join(" with ")}`,
    ...(formats === undefined ? [] : [`Options: ${JSON.stringify({ formats })}`]),
    ...schemas.map(describeSource),
  ];
}

const contractOf = memoize(({ document }: SourceSchema) => contractHash(document));

function describeSource(schema: SourceSchema): string {
  const { id, file } = schema;
  const named = id === file ? "" : ` (${escapeControls(id)})`;
  return `Schema: ${escapeControls(file)}${named} ${contractOf(schema)}`;
}

/** The schema files that a generated text names in its header. */
export function readSources(text: string): string[] {
  const lines = text.matchAll(/^(?:\/\/ |# )?Schema: (.+?)(?: \(\S+\))? contract1-sha256:/gm);
  return [...lines].map(([, file = ""]) => file);
}

/**
 * Linters and formatters of a repository with a copy leave it alone: a copy that they changed would differ from its
 * original. PGH004 is ruff's rule against the first line. The last is for black, and for the formatter of ruff.
 */
const LEFT_ALONE = [
  "# ruff: noqa",
  "# ruff: noqa: PGH004",
  "# flake8: noqa",
  "# isort: skip_file",
  "# fmt: off",
];

/** The header as `#` comments, for Python, and what linters and formatters look for. */
export function pythonHeader(origin: Origin, printer?: string): string[] {
  return [...headerLines(origin, printer).map((line) => `# ${line}`), ...LEFT_ALONE];
}

/** The header as `//` comments, for TypeScript and JavaScript. */
export function slashHeader(origin: Origin, printer?: string): string {
  return headerLines(origin, printer)
    .map((line) => `// ${line}\n`)
    .join("");
}
