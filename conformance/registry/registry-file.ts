/** Place of the registry below the repository's root. */
export const REGISTRY_FILE = "schema/registry.json";
