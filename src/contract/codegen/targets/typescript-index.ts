import { slashHeader } from "../file-header.js";
import { isBeside, type Target } from "../target.js";

export const typescriptIndex: Target = {
  id: "typescript-index",
  purpose:
    "the module that gathers what lies in its folder: types, and validators if there are any",
  async generate(input) {
    const { folder, schemas } = input;
    const header = slashHeader(input);
    const validators = isBeside(input, "validators") ? ['export * from "./validators.js";'] : [];
    // The module of the records has the types of all schemas.
    const records = isBeside(input, "records") ? ['export * from "./types.js";'] : [];
    const types = schemas.map(({ name }) => `export type * from "./${name}.js";`);
    const code = [...records, ...validators];
    const declared = records.length > 0 ? code : [...types, ...code];
    return [
      { path: `${folder}/index.js`, text: print(header, code.length > 0 ? code : ["export {};"]) },
      { path: `${folder}/index.d.ts`, text: print(header, declared) },
    ];
  },
};

function print(header: string, lines: readonly string[]): string {
  return [header, ...lines, ""].join("\n");
}
