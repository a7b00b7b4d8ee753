import { createRequire } from "node:module";

// As CommonJS, because loading its 300 ECMAScript modules through the TypeScript loader takes three times as
// long.
const core: typeof import("quicktype-core") = createRequire(import.meta.url)("quicktype-core");

export const {
  funPrefixNamer,
  getOptionValues,
  InputData,
  JSONSchemaInput,
  PythonRenderer,
  PythonTargetLanguage,
  pythonOptions,
  quicktype,
  TypeAttributeKind,
} = core;
