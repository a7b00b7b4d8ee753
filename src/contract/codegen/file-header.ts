import { memoize } from "../../base/memoize.js";
import { escapeControls } from "../../base/text.js";
import type { SourceSchema } from "../schemas/definitions.js";
import { contractHash } from "../schemas/hashes.js";
import { FIRST_LINE } from "./files.js";
import { readManifest } from "./target.js";

/** The tool that printed a file, its version, and the options that affect its output. */
export interface Generator {
  readonly name: string;
  readonly version: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** This project as the generator, for files that no library prints. */
export function ownGenerator(): Generator {
  const { name, version } = readManifest();
  return { name, version, options: {} };
}

/** The first lines of every generated file. They contain no date, so that two runs give the same bytes. */
export function headerLines(generator: Generator, schemas: readonly SourceSchema[]): string[] {
  return [
    FIRST_LINE,
    `Generator: ${generator.name} ${generator.version}`,
    `Options: ${JSON.stringify(generator.options)}`,
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
export function pythonHeader(generator: Generator, schemas: readonly SourceSchema[]): string[] {
  return [...headerLines(generator, schemas).map((line) => `# ${line}`), ...LEFT_ALONE];
}

/** The header as `//` comments, for TypeScript and JavaScript. */
export function slashHeader(generator: Generator, schemas: readonly SourceSchema[]): string {
  return headerLines(generator, schemas)
    .map((line) => `// ${line}\n`)
    .join("");
}
