import type { RegisteredSchema } from "#generated/index.js";

/** The parts of an `$id` such as `urn:rollout-wire:training-record:v1` or `https://example.org/schemas/order/v1`. */
export interface SchemaId {
  /** Everything before the version. */
  readonly base: string;
  readonly name: string;
  readonly major: number;
}

/** The version that an `$id` ends with, after a slash or a colon; undefined for a value without one. */
export function parseSchemaId(id: unknown): SchemaId | undefined {
  if (typeof id !== "string") return undefined;
  const [, base, name, major] = /^(.*?([\w.-]+))[/:]v(\d+)$/.exec(id) ?? [];
  if (base === undefined || name === undefined) return undefined;
  return { base, name, major: Number(major) };
}

type NamedSchema = Pick<RegisteredSchema, "id" | "aliases">;

/** Every `$id` by which copies of a schema are recognised: its own, then its aliases. */
export function listIds({ id, aliases = [] }: NamedSchema): readonly string[] {
  return [id, ...aliases];
}

/** Whether an `$id` is one of the schema's, in whatever major version. */
export function isIdOf(schema: NamedSchema, { base }: SchemaId): boolean {
  return listIds(schema).some((id) => parseSchemaId(id)?.base === base);
}

/**
 * The aliases that still lead to the current version when another schema refers to them. Those of another major version
 * lead to what was published as that version.
 */
export function listReferableAliases({ id, aliases = [] }: NamedSchema): readonly string[] {
  const major = parseSchemaId(id)?.major;
  return aliases.filter((alias) => parseSchemaId(alias)?.major === major);
}

/** A schema to which others may refer by `$id`, because somebody named it. */
export interface NamedText {
  readonly text: string;
  /** Path of its file, as `SchemaFiles` has it. Default: its `$id` is its name in messages. */
  readonly path?: string;
  /** Other `$id`s by which it is known. */
  readonly aliases?: readonly string[];
  /** Whether it is of a list of versions: then the first with an `$id` counts, else two that differ are ambiguous. */
  readonly isListed?: boolean;
}

/** The files of a registry to which other schemas may refer, as `listReferable` orders them. */
export interface NamedFile extends Pick<NamedText, "aliases"> {
  readonly path: string;
}

/**
 * The schemas of a registry to which another schema may refer by `$id`; the first of an `$id` counts. Current versions come
 * first, each also under its aliases, then the published ones, the newest first.
 */
export function listReferable(
  schemas: readonly (NamedSchema & Pick<RegisteredSchema, "file" | "released">)[],
): NamedFile[] {
  const present = schemas.map((entry) => ({
    path: entry.file,
    aliases: listReferableAliases(entry),
  }));
  const released = schemas.flatMap((entry) => entry.released.toReversed());
  return [...present, ...released.map((path) => ({ path }))];
}

/** The same with their texts, which `read` returns. */
export function listReferableTexts(
  schemas: Parameters<typeof listReferable>[0],
  read: (file: string) => string,
): NamedText[] {
  return listReferable(schemas).map(({ path, aliases = [] }) => ({
    text: read(path),
    aliases,
    isListed: true,
  }));
}
