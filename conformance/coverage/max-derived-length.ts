/**
 * Characters or items of a text or an array that is derived, at most: nobody would read a longer fixture. For
 * limits beyond it no fixture is derived, so that no schema, however odd, fills the memory.
 */
export const MAX_DERIVED_LENGTH = 2 ** 16;
