import { ownGenerator, slashHeader } from "../file-header.js";
import { toRecordFields } from "../redaction/to-place.js";
import type { Target } from "../target.js";

export const typescriptRedaction: Target = {
  id: "typescript-redaction",
  purpose: "what redaction may do to each field of a record",
  async generate({ schemas, definitions }) {
    const header = slashHeader(ownGenerator(), schemas);
    const fields = Object.entries(toRecordFields(definitions));
    return [
      {
        path: "generated/typescript/redaction.js",
        text: [
          header,
          "export const recordFields = {",
          ...fields.map(([name, place]) => `  ${JSON.stringify(name)}: ${JSON.stringify(place)},`),
          "};",
          "",
        ].join("\n"),
      },
      {
        path: "generated/typescript/redaction.d.ts",
        text: [header, TYPES].join("\n"),
      },
    ];
  },
};

const TYPES = `/** What stands at a place of a record, and so what redaction may do to it. */
export type Place =
  /** Whatever agents and tools write. */
  | { readonly kind: "open" }
  /** A text that names a record or a call, for others to refer to. */
  | { readonly kind: "identifier" }
  /** Numbers, words, and texts that match a pattern. They stay if they are such; anything else is open. */
  | {
      readonly kind: "fixed";
      readonly numbers?: boolean;
      readonly words?: readonly string[];
      readonly patterns?: readonly string[];
    }
  /** Open, but numbers are measured and stay. */
  | { readonly kind: "measures" }
  /** Fields that keep their names; others are open. */
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, Place>> }
  | { readonly kind: "list"; readonly element: Place };

/** The fields of all record types, and of the parts that are redacted by themselves. */
export const recordFields: Readonly<Record<string, Place>>;
`;
