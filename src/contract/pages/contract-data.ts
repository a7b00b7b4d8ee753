import type { DriftReport, RegisteredSchema, SchemaHashes } from "#generated/index.js";

/** What the page about a contract shows, or about changes only. */
export interface ContractIndex {
  /** Name of the page. */
  readonly name: string;
  /** The command that made the page. */
  readonly command: string;
  readonly versions: readonly (readonly [name: string, value: string])[];
  /** Empty on a page about changes only. */
  readonly schemas: readonly ContractSchema[];
  /** By schema, the newest version first. */
  readonly comparisons: readonly SchemaComparison[];
  /** The copies in repositories; undefined if none were named. */
  readonly copies: ContractCopies | undefined;
}

export interface ContractSchema
  extends Pick<
    RegisteredSchema,
    "id" | "name" | "version" | "file" | "owner" | "producers" | "consumers" | "stability"
  > {
  readonly title: string;
  readonly description: string;
  readonly hashes: SchemaHashes;
  /** Its published versions, the newest first. */
  readonly releases: readonly ContractRelease[];
  /** Its record types, then its other definitions. */
  readonly types: readonly ContractType[];
}

export interface ContractRelease {
  readonly version: string;
  readonly file: string;
  readonly hashes: SchemaHashes;
}

/** A definition of a schema. */
export interface ContractType {
  /** "" if the schema itself is a type. */
  readonly name: string;
  /** Whether a record may be of this type, and not only a part of one. */
  readonly isRecord: boolean;
  readonly description: string;
  readonly type: readonly TypePart[];
  readonly constraints: readonly string[];
  /** Empty for a type that is no object. */
  readonly fields: readonly ContractField[];
  /** The version in which it appeared. */
  readonly since: string;
  /** The types that refer to it. */
  readonly usedBy: readonly TypeLink[];
  readonly examples: readonly ContractExample[];
  /** Number of examples there are, shown or not. */
  readonly exampleCount: number;
}

export interface ContractField {
  /** Its name. In an object without a name of its own: the path to it, such as `a.b`, `a[].b` or `a.*`. */
  readonly path: string;
  readonly type: readonly TypePart[];
  readonly constraints: readonly string[];
  readonly isRequired: boolean;
  readonly description: string;
  /** The version in which it appeared. */
  readonly since: string;
  /** The type that it comes from, if its type is an extension of that one. */
  readonly from: TypeLink | undefined;
}

/** A part of a type's description: words, or a link to another type. */
export type TypePart = string | TypeLink;

export interface TypeLink {
  readonly schema: string;
  /** Name of the definition; "" for the schema itself. */
  readonly name: string;
}

export interface ContractExample {
  readonly name: string;
  /** What it shows. */
  readonly why: string;
  readonly json: string;
}

/** Two versions of a schema and what changed between them, or its first version. */
export interface SchemaComparison {
  /** Its address in the page, such as `rollout-wire/1.1.0`. */
  readonly id: string;
  readonly schema: string;
  /** Undefined where nobody has numbered the versions. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly status: "added" | "changed" | "removed";
  /** Names of the files. */
  readonly old: string;
  readonly new: string;
  readonly bump: string;
  /** The changelog entry, as Markdown; "" if nothing changed. */
  readonly entry: string;
  /** By compatibility mode; empty for a first version. */
  readonly verdicts: readonly LensVerdicts[];
  readonly changes: readonly ReportedChange[];
}

export interface LensVerdicts {
  /** The compatibility mode. */
  readonly lens: string;
  readonly backward: string;
  /** Undefined for code, which breaks in one direction only. */
  readonly forward: string | undefined;
}

export interface ReportedChange {
  /** Id and name of the rule that found it. */
  readonly rule: string;
  readonly name: string;
  /** The record type and the place in a record. */
  readonly subject: string;
  /** More record types that it affects. */
  readonly others: readonly string[];
  readonly message: string;
  /** Where it is in the texts, as `file:line:column pointer`. */
  readonly places: { readonly old: string; readonly new: string };
  readonly verdicts: readonly LensVerdicts[];
  readonly proofs: readonly ChangeProof[];
  /** What to do about a break. */
  readonly fix: string;
}

/** Why a change breaks something. */
export interface ChangeProof {
  /** What it breaks, such as `backward (validate)`. */
  readonly breaks: readonly string[];
  readonly claim: string;
  /** The record that proves it, as JSON. */
  readonly witness: string | undefined;
}

export interface ContractCopies extends Pick<DriftReport, "copies" | "findings" | "disagreements"> {
  readonly forks: readonly ContractFork[];
  /** What was checked, in words. */
  readonly checked: readonly string[];
  /** Commands and other steps that correct the copies, in order. */
  readonly fixes: readonly string[];
}

/** A schema that nobody registered as a copy. */
export interface ContractFork {
  readonly repository: string;
  readonly path: string;
  /** The record type that it copies, else the schema. */
  readonly type: string;
  /** How many records were replayed on it and rejected, or why none, in words. */
  readonly replay: string;
}
