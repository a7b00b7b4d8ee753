import { createRequire } from "node:module";

// As CommonJS: the loader of TypeScript takes three times as long for its 300 ECMAScript modules.
const quicktype: typeof import("quicktype-core") = createRequire(import.meta.url)("quicktype-core");

export const {
  funPrefixNamer,
  getOptionValues,
  InputData,
  JSONSchemaInput,
  PythonRenderer,
  PythonTargetLanguage,
  pythonOptions,
  quicktypeMultiFile,
  TypeAttributeKind,
} = quicktype;
