import { additionalRules } from "./additional.js";
import { definitionRules } from "./definitions.js";
import { itemRules } from "./items.js";
import { metadataRules } from "./metadata.js";
import { numberRules } from "./numbers.js";
import { objectRules } from "./objects.js";
import { propertyRules } from "./properties.js";
import { requiredRules } from "./required.js";
import type { Rule } from "./rule.js";
import { stringRules } from "./strings.js";
import { typeRules } from "./types.js";
import { unionRules } from "./unions.js";
import { valueRules } from "./values.js";

/** Every kind of change, by id. */
export const rules: readonly Rule[] = [
  ...additionalRules,
  ...objectRules,
  ...valueRules,
  ...definitionRules,
  ...itemRules,
  ...metadataRules,
  ...numberRules,
  ...propertyRules,
  ...requiredRules,
  ...stringRules,
  ...typeRules,
  ...unionRules,
];
