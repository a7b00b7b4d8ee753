import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Artefact } from "#generated/index.js";
import { createConfig, writeConfiguration } from "../../../contract/drift/testing/layouts.js";
import { schemaHashes } from "../../../contract/schemas/hashes.js";

/** Text that would do harm if a page took it for anything else. */
export const ATTACK =
  "</script><script>alert(1)</script><img src=x onerror=alert(2)><style>*{display:none}</style>\u202e";

/** A name that an address must escape. */
export const ODD_NAME = "a/b?c#d%20<e>";

const ID = "https://x.example/schemas/note/v1";

const first = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: ID,
  title: "note/v1",
  description: `Notes. ${ATTACK}`,
  anyOf: [{ $ref: "#/$defs/Note" }],
  $defs: {
    Note: {
      description: `One note. ${ATTACK}`,
      type: "object",
      properties: {
        text: { description: ATTACK, type: "string" },
        by: { $ref: `#/$defs/${ODD_NAME.replaceAll("/", "~1").replaceAll("%", "%25")}` },
      },
      required: ["text"],
      examples: [{ text: ATTACK }],
    },
    [ODD_NAME]: {
      description: `Who wrote it. ${ATTACK}`,
      type: "object",
      properties: { [ATTACK]: { type: ["string", "null"], description: "A name." } },
    },
  },
};

const { Note } = first.$defs;

/** Adds a required field, a breaking change. */
const second = {
  ...first,
  $defs: {
    ...first.$defs,
    Note: {
      ...Note,
      properties: { ...Note.properties, lines: { type: "integer", minimum: 1 } },
      required: ["text", "lines"],
    },
  },
};

/**
 * Writes a repository with a schema of two released versions, and the folder `pipeline` beside it, whose configuration
 * lists `copy.json`, a copy of the first.
 */
export function writeRepository(folder: string): void {
  const write = (path: string, value: unknown): string => {
    const text = `${JSON.stringify(value, undefined, 2)}\n`;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return text;
  };
  const [v1, v2] = ["v1", "v2"].map((version) => `schema/released/note/${version}.schema.json`);
  write(`owner/${v1}`, first);
  write(`owner/${v2}`, second);
  write("pipeline/copy.json", first);
  const file = "schema/note.schema.json";
  const text = write(`owner/${file}`, second);
  const copy: Artefact = {
    kind: "schema",
    schema: "note",
    version: "2.0.0",
    source: file,
    path: "copy.json",
  };
  const entry = {
    ...{ id: ID, name: "note", version: "2.0.0", file, released: [v1, v2], owner: "owner" },
    ...{ producers: ["owner"], consumers: ["pipeline"], stability: "stable" },
    hashes: schemaHashes(text),
  };
  write("owner/schema/registry.json", { schemas: [entry] });
  writeConfiguration(join(folder, "pipeline"), createConfig("pipeline", [copy]));
}
