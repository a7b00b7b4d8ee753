import { compile } from "json-schema-to-typescript";
import type { Definition, SourceSchema } from "../../schemas/definitions.js";
import { definitionOf, definitionsIn } from "../../schemas/definitions.js";
import { flattenAllOf } from "../definitions.js";
import { slashHeader } from "../file-header.js";
import type { CodegenInput, GeneratedFile, Target } from "../target.js";
import { layOutTypes } from "../typescript/layout.js";
import { OddNames, type Refer, toPrintable } from "../typescript/printable.js";

const PRINTER = "json-schema-to-typescript";

const OPTIONS = {
  bannerComment: "",
  additionalProperties: false,
  ignoreMinAndMaxItems: true,
  format: false,
} as const;

export const typescriptTypes: Target = {
  id: "typescript-types",
  purpose: "one exported TypeScript type per definition of a schema",
  async generate(input) {
    return await Promise.all(input.schemas.map((schema) => printModule(schema, input)));
  },
};

async function printModule(schema: SourceSchema, input: CodegenInput): Promise<GeneratedFile> {
  const imports = new Map<string, Set<string>>();
  /** Each definition is printed once, under its own name, in the module of its schema. */
  const refer: Refer = (definition) => {
    const target = definitionOf(definition, input.definitions);
    if (target.schema !== schema) {
      const names = imports.get(target.schema.name) ?? new Set();
      imports.set(target.schema.name, names.add(target.name));
    }
    return target.name;
  };
  const declarations: string[] = [];
  for (const definition of definitionsIn(schema, input.definitions)) {
    declarations.push(await printType(definition, refer, input));
  }
  return {
    path: `${input.folder}/${schema.name}.d.ts`,
    text: [
      slashHeader({ ...input, schemas: [schema] }, PRINTER),
      ...printImports(imports),
      ...declarations,
    ].join("\n"),
  };
}

async function printType(
  { name, node }: Definition,
  refer: Refer,
  { definitions }: CodegenInput,
): Promise<string> {
  const oddNames = new OddNames();
  const printable = toPrintable(flattenAllOf(node, definitions), refer, oddNames);
  // The printer modifies its input, and changes names that have more than letters.
  const plain = name.replaceAll(/[^A-Za-z]/g, "x");
  const code = await compile(JSON.parse(JSON.stringify(printable)), plain, OPTIONS);
  const named = code.replace(
    new RegExp(`^(export (?:type|interface)) ${plain}\\b`, "m"),
    `$1 ${name}`,
  );
  return toTypes(oddNames.restore(layOutTypes(named)));
}

/** Makes types of interfaces: only a type is assignable to `Record<string, unknown>`, and so to `Open`. */
function toTypes(code: string): string {
  return code
    .replace(/^export interface (\w+) \{$/gm, "export type $1 = {")
    .replace(/^\}$/gm, "};");
}

function printImports(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const lines = [...imports].map(
    ([module, names]) => `import type { ${[...names].join(", ")} } from "./${module}.js";\n`,
  );
  return lines.length === 0 ? [] : [lines.join("")];
}
