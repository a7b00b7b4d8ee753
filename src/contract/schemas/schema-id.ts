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

/**
 * The texts of all schemas of a registry to which another schema may refer by `$id`; the first of an `$id` counts.
 * Current versions come first, each also under its aliases, then the published ones, the newest first. `read` returns the
 * text of a file that the registry names.
 */
export function listReferableTexts(
  schemas: readonly (NamedSchema & Pick<RegisteredSchema, "file" | "released">)[],
  read: (file: string) => string,
): string[] {
  const present = schemas.flatMap((entry) => {
    const text = read(entry.file);
    return [text, ...listReferableAliases(entry).map((alias) => renameTo(alias, entry.id, text))];
  });
  return [...present, ...schemas.flatMap(({ released }) => released.toReversed().map(read))];
}

/** The text of a schema with another `$id`; the same text if it does not spell `id` as expected. */
function renameTo(alias: string, id: string, text: string): string {
  return text.replace(/("\$id"\s*:\s*)("[^"]*")/, (whole, key: string, value: string) =>
    value === JSON.stringify(id) ? `${key}${JSON.stringify(alias)}` : whole,
  );
}
