import { closed } from "./a1-closed.js";
import { opened } from "./a2-opened.js";
import { partlyClosed } from "./a3-partly-closed.js";
import { patternPropertyAddedOrRemoved } from "./a5-pattern-property-added-or-removed.js";
import { propertyNamesChanged } from "./a6-property-names-changed.js";
import { propertyCountChanged } from "./a7-property-count-changed.js";
import { unevaluatedPropertiesChanged } from "./a8-unevaluated-properties-changed.js";
import { dependentRequiredChanged } from "./d1-dependent-required-changed.js";
import { dependentSchemaAddedOrRemoved } from "./d2-dependent-schema-added-or-removed.js";
import { enumChanged } from "./e1-enum-changed.js";
import { enumAddedOrRemoved } from "./e3-enum-added-or-removed.js";
import { constChanged } from "./e4-const-changed.js";
import { constToEnum } from "./e5-const-to-enum.js";
import { extensibleEnumChanged } from "./e6-extensible-enum-changed.js";
import { definitionRenamedOrRemoved } from "./f2-definition-renamed-or-removed.js";
import { dynamicReferenceChanged } from "./f5-dynamic-reference-changed.js";
import { itemsAddedOrRemoved } from "./i1-items-added-or-removed.js";
import { tupleItemAdded } from "./i2-tuple-item-added.js";
import { tupleItemRemoved } from "./i3-tuple-item-removed.js";
import { tupleClosedOrOpened } from "./i4-tuple-closed-or-opened.js";
import { itemCountChanged } from "./i5-item-count-changed.js";
import { containsChanged } from "./i6-contains-changed.js";
import { minContainsChanged } from "./i7-min-contains-changed.js";
import { maxContainsChanged } from "./i8-max-contains-changed.js";
import { unevaluatedItemsChanged } from "./i9-unevaluated-items-changed.js";
import { documentationChanged } from "./m1-documentation-changed.js";
import { defaultChanged } from "./m2-default-changed.js";
import { identityChanged } from "./m3-identity-changed.js";
import { versionChanged } from "./m4-version-changed.js";
import { unknownKeywordChanged } from "./m5-unknown-keyword-changed.js";
import { rangeTightened } from "./n1-range-tightened.js";
import { rangeRelaxed } from "./n2-range-relaxed.js";
import { multipleChanged } from "./n3-multiple-changed.js";
import { optionalAddedToOpen } from "./p1-optional-added-to-open.js";
import { anythingAddedToOpen } from "./p2-anything-added-to-open.js";
import { optionalAddedToClosed } from "./p3-optional-added-to-closed.js";
import { requiredPropertyAdded } from "./p4-required-property-added.js";
import { propertyAddedToPartial } from "./p5-property-added-to-partial.js";
import { propertyRemovedFromOpen } from "./p6-property-removed-from-open.js";
import { propertyRemovedFromClosed } from "./p7-property-removed-from-closed.js";
import { propertyRemovedFromPartial } from "./p8-property-removed-from-partial.js";
import { propertyRenamed } from "./p9-property-renamed.js";
import { reservedName } from "./p10-reserved-name.js";
import { requiredAdded } from "./r1-required-added.js";
import { requiredAddedWithDefault } from "./r2-required-added-with-default.js";
import { undeclaredRequired } from "./r3-undeclared-required.js";
import { requiredRemoved } from "./r4-required-removed.js";
import { requiredSwapped } from "./r5-required-swapped.js";
import type { Rule } from "./rule.js";
import { lengthChanged } from "./s1-length-changed.js";
import { patternAddedOrRemoved } from "./s2-pattern-added-or-removed.js";
import { patternChanged } from "./s3-pattern-changed.js";
import { formatChanged } from "./s4-format-changed.js";
import { contentChanged } from "./s5-content-changed.js";
import { typeNarrowed } from "./t1-type-narrowed.js";
import { typeWidened } from "./t2-type-widened.js";
import { typeChanged } from "./t3-type-changed.js";
import { typeAddedOrRemoved } from "./t4-type-added-or-removed.js";
import { everythingOrNothing } from "./t5-everything-or-nothing.js";
import { anyOfChanged } from "./x1-any-of-changed.js";
import { oneOfChanged } from "./x2-one-of-changed.js";
import { oneOfOverlap } from "./x3-one-of-overlap.js";
import { unionKindChanged } from "./x4-union-kind-changed.js";
import { notChanged } from "./x6-not-changed.js";
import { conditionalChanged } from "./x7-conditional-changed.js";

/** Every kind of change, by its id. */
export const rules: readonly Rule[] = [
  closed,
  opened,
  partlyClosed,
  patternPropertyAddedOrRemoved,
  propertyNamesChanged,
  propertyCountChanged,
  unevaluatedPropertiesChanged,
  dependentRequiredChanged,
  dependentSchemaAddedOrRemoved,
  enumChanged,
  enumAddedOrRemoved,
  constChanged,
  constToEnum,
  extensibleEnumChanged,
  definitionRenamedOrRemoved,
  dynamicReferenceChanged,
  itemsAddedOrRemoved,
  tupleItemAdded,
  tupleItemRemoved,
  tupleClosedOrOpened,
  itemCountChanged,
  containsChanged,
  minContainsChanged,
  maxContainsChanged,
  unevaluatedItemsChanged,
  documentationChanged,
  defaultChanged,
  identityChanged,
  versionChanged,
  unknownKeywordChanged,
  rangeTightened,
  rangeRelaxed,
  multipleChanged,
  optionalAddedToOpen,
  anythingAddedToOpen,
  optionalAddedToClosed,
  requiredPropertyAdded,
  propertyAddedToPartial,
  propertyRemovedFromOpen,
  propertyRemovedFromClosed,
  propertyRemovedFromPartial,
  propertyRenamed,
  reservedName,
  requiredAdded,
  requiredAddedWithDefault,
  undeclaredRequired,
  requiredRemoved,
  requiredSwapped,
  lengthChanged,
  patternAddedOrRemoved,
  patternChanged,
  formatChanged,
  contentChanged,
  typeNarrowed,
  typeWidened,
  typeChanged,
  typeAddedOrRemoved,
  everythingOrNothing,
  anyOfChanged,
  oneOfChanged,
  oneOfOverlap,
  unionKindChanged,
  notChanged,
  conditionalChanged,
];
