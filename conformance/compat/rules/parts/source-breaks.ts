import type { FoundChange } from "../rule.js";

type SourceBreaks = NonNullable<FoundChange["breaksSource"]>;

/** A property that every object has to have now. */
export const MUST_BE_GIVEN: SourceBreaks = {
  typescript: "code that makes such an object has to give it",
  python: "code that makes such an object has to give it",
};

/** A property that is declared no longer. */
export const IS_GONE: SourceBreaks = {
  typescript: "code that names it no longer compiles",
  python: "code that names it fails with an AttributeError",
};
