import { toFeature } from "../features/to-feature.js";
import { ownGenerator, slashHeader } from "../file-header.js";
import type { Target } from "../target.js";

export const datasetFeatures: Target = {
  id: "dataset-features",
  purpose: "the Hugging Face datasets features of every definition",
  async generate({ schemas, definitions }) {
    const header = slashHeader(ownGenerator(), schemas);
    const features = [...definitions.values()].map((definition) => ({
      name: definition.name,
      json: JSON.stringify(toFeature(definition, definitions)),
    }));
    return [
      {
        path: "generated/typescript/features.js",
        text: [
          header,
          "export const features = {",
          ...features.map(({ name, json }) => `  ${name}: ${json},`),
          "};",
          "",
        ].join("\n"),
      },
      {
        path: "generated/typescript/features.d.ts",
        text: [
          header,
          "/**",
          " * Hugging Face `datasets` features of every definition, as `datasets.Features.from_dict` reads",
          " * them: columns for an entry type, else the feature of one value. An object of any shape is Json.",
          " */",
          "export const features: {",
          // A JSON text is a type as well: that of its literals.
          ...features.map(({ name, json }) => `  readonly ${name}: ${json};`),
          "};",
          "",
        ].join("\n"),
      },
    ];
  },
};
