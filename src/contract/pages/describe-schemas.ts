import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { pairEntryPoints } from "../compat/entry-points.js";
import type { LoadedVersion } from "../compat/load-version.js";
import { decodeFragment } from "../compat/schema/uris.js";
import type { KnownVersion } from "../drift/canonical.js";
import { schemaHashes } from "../schemas/hashes.js";
import { parseJsonText } from "../schemas/json-text.js";
import type { RegistryEntry } from "../schemas/registry.js";
import type {
  ContractExample,
  ContractField,
  ContractSchema,
  ContractType,
  TypeLink,
  TypePart,
} from "./contract-data.js";
import { type Definition, listDefinitions } from "./definitions.js";
import { type DescribedField, describeFields } from "./describe-fields.js";
import { describeConstraints, describeType, type Resolve, type Target } from "./describe-type.js";
import { describeExamples } from "./examples.js";
import { FieldHistory } from "./field-history.js";

/** A registered schema and its versions, the newest first. */
export interface SchemaVersions {
  readonly entry: RegistryEntry;
  readonly known: readonly (KnownVersion & { readonly loaded: LoadedVersion })[];
}

/** Describes schemas by their newest versions. `suites` are the valid fixtures of each type by its name. */
export function describeSchemas(
  versions: readonly SchemaVersions[],
  suites: ReadonlyMap<string, readonly ContractExample[]>,
): readonly ContractSchema[] {
  const pages = versions.map(openPage);
  return addUses(pages.map((page) => describeSchema(page, { pages, suites })));
}

/** A schema as it is described. */
interface SchemaPage extends SchemaVersions {
  readonly document: JsonObject;
  readonly definitions: readonly Definition[];
  readonly history: FieldHistory;
}

interface Surroundings {
  readonly pages: readonly SchemaPage[];
  readonly suites: ReadonlyMap<string, readonly ContractExample[]>;
}

function openPage({ entry, known }: SchemaVersions): SchemaPage {
  const documents = known.map(({ version, text }) => ({ version, document: toDocument(text) }));
  const [newest = { document: {} }] = documents;
  return {
    entry,
    known,
    document: newest.document,
    definitions: listDefinitions(newest.document),
    history: new FieldHistory(documents),
  };
}

function toDocument(text: string): JsonObject {
  const value = parseJsonText(text);
  return isJsonObject(value) ? value : {};
}

function describeSchema(page: SchemaPage, surroundings: Surroundings): ContractSchema {
  const { entry, known, document, definitions } = page;
  const { id, name, version, file, owner, producers, consumers, stability } = entry;
  const records = listRecords(page);
  const types = definitions
    // Most documents only list the types in them.
    .filter((each) => each.name !== "" || records.includes(""))
    .map((each) => describeDefinition(each, page, surroundings));
  const released = known.filter((each) => entry.released.includes(each.file));
  return {
    ...{ id, name, version, file, owner, producers, consumers, stability },
    title: toText(document.title),
    description: toText(document.description),
    hashes: schemaHashes(known[0]?.text ?? ""),
    releases: released.map((each) => ({
      version: each.version,
      file: each.file,
      hashes: schemaHashes(each.text),
    })),
    types: [
      ...records.flatMap((record) => types.filter((type) => type.name === record)),
      ...types.filter((type) => !records.includes(type.name)),
    ].map((type) => ({ ...type, isRecord: records.includes(type.name) })),
  };
}

/** Names of the types that a record may have. */
function listRecords({ known: [newest] }: SchemaVersions): readonly string[] {
  if (newest === undefined) return [];
  const { root } = newest.loaded;
  return pairEntryPoints(root, root).map(({ name }) => name);
}

function describeDefinition(
  { name, node }: Definition,
  page: SchemaPage,
  { pages, suites }: Surroundings,
): ContractType {
  const target = { link: { schema: page.entry.name, name }, node, resolve: resolveIn(page, pages) };
  const fields = describeFields(target);
  return {
    name,
    isRecord: false,
    description: toText(node.description),
    type: describeType(node, target.resolve),
    constraints: [
      ...describeConstraints(node, target.resolve),
      ...describeUndeclared(target, fields),
    ],
    fields: fields.map((field) => ({ ...field, since: sinceOf(field, target.link, pages) })),
    since: page.history.since(name),
    usedBy: [],
    ...describeExamples(node, suites.get(name)),
  };
}

/** References lead to registered schemas only. */
function resolveIn(page: SchemaPage, pages: readonly SchemaPage[]): Resolve {
  return (reference) => {
    const [id, pointer = ""] = reference.split(/#(.*)/s);
    const owner = id === "" ? page : pages.find(({ entry }) => entry.id === id);
    const found = owner?.definitions.find((each) => each.pointer === decodeFragment(pointer));
    if (owner === undefined || found === undefined) return undefined;
    const link = { schema: owner.entry.name, name: found.name };
    return { link, node: found.node, resolve: resolveIn(owner, pages) };
  };
}

/** Fields that must be there, of which nothing else is said. */
function describeUndeclared({ node }: Target, fields: readonly DescribedField[]): string[] {
  const declared = new Set(fields.map(({ path }) => path));
  const names = [node.required ?? []].flat().map(String);
  const undeclared = names.filter((name) => !declared.has(name));
  return undeclared.length === 0 ? [] : [`requires ${undeclared.join(", ")}`];
}

/** A field that is inherited from another schema has its history there. */
function sinceOf(
  { path, from }: DescribedField,
  own: TypeLink,
  pages: readonly SchemaPage[],
): ContractField["since"] {
  const { schema, name } = from === undefined || from.schema === own.schema ? own : from;
  const version = pages.find(({ entry }) => entry.name === schema)?.history.since(name, path) ?? "";
  return schema === own.schema ? version : `${schema} ${version}`;
}

/** Adds to each type those that refer to it. */
function addUses(schemas: readonly ContractSchema[]): readonly ContractSchema[] {
  const users = new Map<string, TypeLink[]>();
  const keyOf = ({ schema, name }: TypeLink): string => JSON.stringify([schema, name]);
  for (const { name: schema, types } of schemas) {
    for (const { name, type, fields } of types) {
      const user = { schema, name };
      const used = [...type, ...fields.flatMap((field) => [...field.type])].filter(isLink);
      for (const key of new Set(used.map(keyOf))) {
        if (key !== keyOf(user)) users.set(key, [...(users.get(key) ?? []), user]);
      }
    }
  }
  return schemas.map((schema) => ({
    ...schema,
    types: schema.types.map((type) => ({
      ...type,
      usedBy: users.get(keyOf({ schema: schema.name, name: type.name })) ?? [],
    })),
  }));
}

function isLink(part: TypePart): part is TypeLink {
  return typeof part !== "string";
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
