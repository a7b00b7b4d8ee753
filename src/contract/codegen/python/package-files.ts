import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../base/package.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import {
  ANNOTATIONS,
  DEFINITION_KEYWORDS,
  LIST_APPLICATORS,
  MAP_APPLICATORS,
  SINGLE_APPLICATORS,
} from "../../schemas/keywords.js";
import { isWire, REGISTRY_FILE } from "../../schemas/registry-file.js";
import { headerLines, ownGenerator } from "../file-header.js";
import { type Publisher, pageOf, readPublisher } from "../publisher.js";
import type { CodegenInput, GeneratedFile } from "../target.js";
import { isClass, type PythonModel } from "./model.js";
import { docstring, moduleName, snakeCase } from "./names.js";

/** The versions of Python that CI installs the package on; the first one is required. */
const PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"] as const;

const RUNTIME_EXPORTS = [
  ["_errors", ["WireError", "WireFault"]],
  ["_hashes", ["SchemaHashes", "schema_hashes"]],
  ["_jsonl", ["JsonRecord", "OnError", "Records", "load_jsonl", "write_jsonl"]],
  ["_record", ["Record"]],
  ["_rows", ["arrow_schema", "to_rows"]],
  ["_values", ["UNSET", "JsonValue", "Unset"]],
] as const;

/** The files that make the modules an installable, typed package. */
export function printPackageFiles(input: CodegenInput, model: PythonModel): GeneratedFile[] {
  const folder = "generated/python";
  const publisher = readPublisher(packageRoot());
  return [
    { path: `${folder}/pyproject.toml`, text: printProject(input, publisher) },
    { path: `${folder}/README.md`, text: printReadme(input, publisher) },
    { path: `${folder}/LICENSE`, text: readFileSync(join(packageRoot(), "LICENSE"), "utf8") },
    { path: `${folder}/rollout_wire/__init__.py`, text: printInit(input, model) },
    { path: `${folder}/rollout_wire/_keywords.py`, text: printKeywordModule() },
    { path: `${folder}/rollout_wire/py.typed`, text: "" },
  ];
}

function header(input: CodegenInput): string {
  return headerLines(ownGenerator(), input.schemas)
    .map((line) => `# ${line}\n`)
    .join("");
}

function printKeywordModule(): string {
  const lines = headerLines(ownGenerator(), []).map((line) => `# ${line}\n`);
  return `${lines.join("")}\n${printKeywords()}`;
}

function printProject(input: CodegenInput, publisher: Publisher): string {
  const { version, author, email, homepage, issues, repository } = publisher;
  const contact = email === undefined ? "" : `, email = ${quote(email)}`;
  return `${header(input)}
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "rollout-wire"
version = ${quote(version)}
description = "Typed records of the rollout-wire format, generated from its JSON Schema."
readme = "README.md"
license = "Apache-2.0"
license-files = ["LICENSE"]
authors = [{ name = ${quote(author)}${contact} }]
requires-python = ">=${PYTHONS[0]}"
classifiers = [
    ${PYTHONS.map((version) => `"Programming Language :: Python :: ${version}",`).join("\n    ")}
    "Typing :: Typed",
]

[project.optional-dependencies]
fast = ["msgspec>=0.20"]
pydantic = ["pydantic>=2.12"]
zstd = ["backports.zstd>=1.0; python_version < '3.14'"]

[project.urls]
Homepage = ${quote(homepage)}
Documentation = ${quote(pageOf(publisher, "docs/python.md"))}
Repository = ${quote(repository)}
Issues = ${quote(issues)}
Changelog = ${quote(pageOf(publisher, "CHANGELOG.md"))}

[tool.setuptools]
packages = ["rollout_wire", "rollout_wire_pydantic"]

[tool.setuptools.package-data]
rollout_wire = ["py.typed"]
rollout_wire_pydantic = ["py.typed"]
`;
}

/** A basic string of TOML. */
const quote = (text: string): string => JSON.stringify(text);

/** Its links are absolute, because package pages show it too. */
function printReadme(input: CodegenInput, publisher: Publisher): string {
  const page = (path: string): string => `[${path}](${pageOf(publisher, path)})`;
  const loaders = loadersOf(input).map(
    ({ name, writer, type }) => `| \`${name}\` | \`${writer}\` | \`${type}\` |`,
  );
  const header = headerLines(ownGenerator(), input.schemas).join("\n");
  return `<!--
${header}
-->

# rollout_wire

Typed records of the rollout-wire format for Python ${PYTHONS[0]} and later, standard library only. Generated
by \`npm run generate\` from the JSON Schema; do not edit.

\`\`\`python
from rollout_wire import WireError, load_rollouts, to_rows, write_rollouts

for branch in load_rollouts("runs/*.jsonl.gz"):  # one record at a time; plain, gzip or zstd
    print(branch.rollout_id, branch.rank, branch.total_score)

errors: list[WireError] = []  # each has file, line and all faults
branches = load_rollouts(["a.jsonl", "b.jsonl"], on_error=errors.append)  # or "skip", or "raise"
for line, branch in branches.numbered():
    print(branches.file, line, branch)  # the repr is one line: nested values are folded

write_rollouts("best.jsonl.gz", (branch for branch in load_rollouts("a.jsonl") if branch.rank == 1))
rows = to_rows(load_rollouts("a.jsonl"))  # dicts for pandas.DataFrame, polars.DataFrame, pyarrow, datasets
\`\`\`

| extra | adds |
|---|---|
| \`fast\` | msgspec, which parses JSON about twice as fast; records, errors and messages stay the same |
| \`zstd\` | zstd before Python 3.14, which has it |
| \`pydantic\` | \`rollout_wire_pydantic\`: the same records as pydantic models, with the same verdicts |

Install them with \`pip install "rollout-wire[fast,zstd,pydantic]"\`. ${page("docs/python.md")} shows a whole session.

| reads | writes | records |
|---|---|---|
${loaders.join("\n")}

- \`load_...(paths, on_error="raise")\` takes a path, a glob pattern, or several. \`load_jsonl(paths, record_type)\` and
  \`write_jsonl(path, records, record_type)\` do the same for any type.
- \`from_dict\` and \`from_json\` raise \`WireError\` on exactly the records that the JSON Schema rejects;
  \`error.faults\` lists each fault with JSON Pointer, keyword and message.
- \`to_dict\` is the inverse of \`from_dict\`: it keeps unknown fields, key order, and absent and null apart. Call it,
  not \`dataclasses.asdict\`, for JSON.
- \`to_rows(records)\` gives plain dicts with a key for every field and None for absent ones; values of varying type are
  JSON text. \`arrow_schema(record_type)\` is the \`pyarrow.Schema\` of these rows.
- \`schema_hashes(text)\` returns the three hashes that identify a copy of a schema, as in
  \`schema/registry.json\`.
- An optional field that is absent is \`UNSET\` (which is falsy); an explicit null is \`None\`.
- Opaque JSON values (\`args\`, \`output\`, unknown fields) are shared with the source, not copied.

\`\`\`sh
python -m rollout_wire drift  # verifies the copies in this folder by rollout-wire.lock.json
\`\`\`

Exit codes: 0 clean, 1 findings, 2 wrong arguments, 3 an unreadable file, 4 a schema differs and only
\`rollout-wire drift\` (Node) says what breaks. ${page("docs/consumers.md")} says more.
`;
}

function printInit(input: CodegenInput, model: PythonModel): string {
  const imports = input.schemas.map(({ name }) => {
    const names = namesOf(model, name);
    return `from .${moduleName(name)} import (\n${names.map((each) => `    ${each},\n`).join("")})`;
  });
  const runtime = RUNTIME_EXPORTS.map(
    ([file, names]) => `from .${file} import ${names.join(", ")}`,
  );
  const loaders = loadersOf(input);
  const exported = [
    ...RUNTIME_EXPORTS.flatMap(([, names]) => names),
    ...input.schemas.flatMap(({ name }) => namesOf(model, name)),
    "DEFINITIONS",
    ...loaders.flatMap(({ name, writer }) => [name, writer]),
  ].sort();
  const classes = [...model.values()].filter(isClass).map(({ name }) => name);
  return [
    header(input),
    docstring("Typed records of the rollout-wire format, which agent runtimes write for training."),
    "",
    "from __future__ import annotations",
    "",
    "from typing import Iterable, Mapping, Type",
    "",
    ...runtime,
    "from ._files import Path, Paths",
    ...imports,
    "",
    `__all__ = [\n${exported.map((name) => `    "${name}",\n`).join("")}]`,
    "",
    "DEFINITIONS: Mapping[str, Type[Record]] = {",
    ...classes.map((name) => `    "${name}": ${name},`),
    "}",
    docstring("Every class by the name of its definition in the JSON Schema."),
    ...loaders.map(printLoader),
    "",
  ].join("\n");
}

interface Loader {
  readonly name: string;
  /** The function that writes what the loader reads. */
  readonly writer: string;
  readonly type: string;
}

function printLoader({ name, writer, type }: Loader): string {
  return `

def ${name}(paths: Paths, *, on_error: OnError = "raise") -> Records[${type}]:
    """Streams the ${type} records of JSONL files; see load_jsonl."""
    return load_jsonl(paths, ${type}, on_error=on_error)


def ${writer}(path: Path, records: Iterable[${type}]) -> int:
    """Writes ${type} records as JSONL; returns how many. See write_jsonl."""
    return write_jsonl(path, records, ${type})`;
}

/**
 * One loader per entry type, named by the registry or else after the type. Throws UserError for a name that
 * is invalid in Python, that two types share, or whose type is not an entry type.
 */
function loadersOf({ registry, schemas }: CodegenInput): Loader[] {
  const named = new Map<string, string>();
  for (const { file, loaders } of registry.schemas.filter(isWire)) {
    const types = schemas.find((schema) => schema.file === file)?.entryTypes ?? [];
    for (const [name, type] of Object.entries(loaders ?? {})) {
      if (!/^load_[a-z0-9_]+$/.test(name) || !types.includes(type)) {
        throw new UserError(
          `${REGISTRY_FILE}: the loader "${name}" of ${type}: name it load_..., of an entry type of ${file}`,
          EXIT.findings,
        );
      }
      named.set(type, name);
    }
  }
  const all = schemas
    .flatMap(({ entryTypes }) => entryTypes)
    .map((type) => ({ type, name: named.get(type) ?? `load_${snakeCase(type)}s` }))
    .map((each) => ({ ...each, writer: each.name.replace(/^load_/, "write_") }));
  const twice = all.find(
    ({ name }, index) => all.findIndex((other) => other.name === name) < index,
  );
  if (twice !== undefined) {
    throw new UserError(
      `${REGISTRY_FILE}: two loaders are called ${twice.name}: name the one of ${twice.type} under "loaders"`,
      EXIT.findings,
    );
  }
  return all;
}

function namesOf(model: PythonModel, schemaName: string): string[] {
  return [...model.values()]
    .filter(({ schema }) => schema.name === schemaName)
    .map(({ name }) => name)
    .sort();
}

const LISTS = {
  ANNOTATIONS,
  DEFINITION_KEYWORDS,
  LIST_APPLICATORS,
  MAP_APPLICATORS,
  SINGLE_APPLICATORS,
} as const;

/** The keywords of JSON Schema by kind of value, as a Python module. */
export function printKeywords(): string {
  const lists = Object.entries(LISTS).map(
    ([name, keywords]) =>
      `${name} = frozenset(\n    {\n${keywords.map((each) => `        "${each}",\n`).join("")}    }\n)\n`,
  );
  return ['"""Keywords of draft 2020-12 by kind of value."""\n', ...lists].join("\n");
}
