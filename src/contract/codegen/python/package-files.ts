import { EXIT, UserError } from "../../../base/user-error.js";
import { isWire, REGISTRY_FILE } from "../../schemas/registry-file.js";
import { parseVersion } from "../../schemas/version.js";
import { pythonHeader } from "../file-header.js";
import type { CodegenInput, GeneratedFile } from "../target.js";
import { isClass, type PythonModel, readerName, readersOf } from "./model.js";
import { docstring, moduleName, snakeCase } from "./names.js";
import { OWN_PACKAGE, packageNameOf } from "./runtime.js";

type Exports = readonly (readonly [file: string, names: readonly string[]])[];

const RUNTIME_EXPORTS: Exports = [
  ["_check", ["find_faults"]],
  ["_faults", ["WireError", "WireFault"]],
  ["_record", ["Record"]],
  ["_values", ["UNSET", "JsonValue", "Unset"]],
];

/** Of our own package alone, whose records come in files. */
const FILE_EXPORTS: Exports = [
  ["_jsonl", ["JsonRecord", "OnError", "Records", "load_jsonl", "write_jsonl"]],
  ["_rows", ["arrow_schema", "to_rows"]],
];

/** The modules of a Python package that are not those of a schema. */
export function printPackageFiles(
  folder: string,
  input: CodegenInput,
  model: PythonModel,
): GeneratedFile[] {
  const isOwn = packageNameOf(folder) === OWN_PACKAGE;
  return [
    { path: `${folder}/__init__.py`, text: printInit(input, model, isOwn) },
    ...(isOwn ? [{ path: `${folder}/__main__.py`, text: printMain() }] : []),
    { path: `${folder}/py.typed`, text: "" },
  ];
}

function printMain(): string {
  return [
    ...pythonHeader({ schemas: [] }),
    "",
    "import sys",
    "",
    "from ._drift import main",
    "",
    "sys.exit(main())",
    "",
  ].join("\n");
}

/** The current major version of each schema, by its name. */
export function majorsOf({ registry }: CodegenInput): ReadonlyMap<string, number> {
  return new Map(registry.schemas.map(({ name, version }) => [name, parseVersion(version).major]));
}

function printInit(input: CodegenInput, model: PythonModel, isOwn: boolean): string {
  const exports = isOwn ? [...RUNTIME_EXPORTS, ...FILE_EXPORTS] : RUNTIME_EXPORTS;
  const runtime = exports.map(([file, names]) => `from .${file} import ${names.join(", ")}`);
  const loaders = isOwn ? loadersOf(input, model) : [];
  const exported = [
    ...exports.flatMap(([, names]) => names),
    ...loaders.flatMap(({ name, writer }) => [name, writer]),
  ];
  return printPackageInit(input, model, {
    purpose: isOwn
      ? "Typed records of the rollout-wire format, which agent runtimes write for training."
      : `Typed records of the schemas ${input.schemas.map(({ name }) => name).join(", ")}.`,
    typing: isOwn ? "Iterable, Mapping, Type" : "Mapping, Type",
    imports: isOwn ? [...runtime, "from ._files import Path, Paths"] : runtime,
    exported,
    definitions: ["Record", "Every class by the name of its definition in the JSON Schema."],
    readerModule: "_reader",
    more: loaders.map(printLoader),
  });
}

interface PackageInit {
  readonly purpose: string;
  /** Names that are imported from `typing`. */
  readonly typing: string;
  readonly imports: readonly string[];
  /** Exported besides the definitions. */
  readonly exported: readonly string[];
  /** The base class of all definitions, and what the map of them is. */
  readonly definitions: readonly [base: string, purpose: string];
  /** The module of the class that reads what is no class. */
  readonly readerModule: string;
  readonly more: readonly string[];
}

/** The `__init__.py` of a package with the definitions of all schemas. */
export function printPackageInit(
  input: CodegenInput,
  model: PythonModel,
  {
    purpose,
    typing,
    imports,
    exported,
    definitions: [base, what],
    readerModule,
    more,
  }: PackageInit,
): string {
  const { schemas } = input;
  const all = [...model.values()];
  const readers = schemas.flatMap((schema) => readersOf(model, schema));
  const modules = schemas.map(({ name, entryTypes }) => {
    const readers = readersOf(model, { name, entryTypes });
    const names = all.filter(({ schema }) => schema.name === name).map((each) => each.name);
    return { name, names: [...names, ...readers.map(readerName)].sort() };
  });
  const names = ["DEFINITIONS", ...exported, ...modules.flatMap((each) => each.names)].sort();
  return [
    ...pythonHeader(input),
    "",
    docstring(purpose),
    "",
    "from __future__ import annotations",
    "",
    `from typing import ${readers.length > 0 ? `Any, ${typing}, Union` : typing}`,
    "",
    ...imports,
    ...(readers.length > 0 ? [`from .${readerModule} import Reader`] : []),
    ...modules.map(
      (each) =>
        `from .${moduleName(each.name)} import (\n${each.names.map((name) => `    ${name},\n`).join("")})`,
    ),
    "",
    `__all__ = [\n${names.map((name) => `    "${name}",\n`).join("")}]`,
    "",
    `DEFINITIONS: Mapping[str, ${readers.length > 0 ? `Union[Type[${base}], Reader[Any]]` : `Type[${base}]`}] = {`,
    ...all.filter(isClass).map(({ name }) => `    "${name}": ${name},`),
    ...readers.map((each) => `    "${each.name}": ${readerName(each)},`),
    "}",
    docstring(what),
    ...more,
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
function loadersOf({ registry, schemas }: CodegenInput, model: PythonModel): Loader[] {
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
    .filter((type) => isClass(model.at(type)))
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
