import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/base/package.js";

const PROJECT = readFileSync(join(packageRoot(), "integrations/python/pyproject.toml"), "utf8");

/** The versions of Python that the package names, such as `3.10`. */
export const PYTHON_VERSIONS = [...PROJECT.matchAll(/Language :: Python :: (\d+\.\d+)"/g)].map(
  ([, version = ""]) => version,
);
