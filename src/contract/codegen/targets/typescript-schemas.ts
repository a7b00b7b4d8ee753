import { slashHeader } from "../file-header.js";
import type { Target } from "../target.js";

export const typescriptSchemas: Target = {
  id: "typescript-schemas",
  purpose: "the schema documents as constants, for runtimes that cannot import JSON",
  isForWire: true,
  async generate(input) {
    const { folder, schemas } = input;
    const header = slashHeader(input);
    const constants = schemas.map(({ name, id, document }) => ({
      name: toConstantName(name),
      id: JSON.stringify(id),
      code: JSON.stringify(document),
    }));
    const code = constants.map((each) => `export const ${each.name} = ${each.code};`);
    const types = constants.map(
      ({ name, id }) =>
        `/** The schema document ${id}. */\nexport const ${name}: SchemaDocument & { readonly $id: ${id} };`,
    );
    return [
      { path: `${folder}/schemas.js`, text: [header, ...code, ""].join("\n") },
      {
        path: `${folder}/schemas.d.ts`,
        text: [header, DOCUMENT, ...types, ""].join("\n"),
      },
    ];
  },
};

const DOCUMENT = `/** A document of JSON Schema draft 2020-12 as parsed JSON. */
export interface SchemaDocument {
  readonly $schema: "https://json-schema.org/draft/2020-12/schema";
  readonly $id: string;
  readonly [keyword: string]: unknown;
}
`;

/** `rolloutWireSchema` for `rollout-wire`. */
function toConstantName(schema: string): string {
  return `${schema.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Schema`;
}
