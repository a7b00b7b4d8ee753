import { join } from "node:path";
import { inject } from "vitest";
import { ensurePythonEnv, INTEROP, SPARK, STORES } from "../../conformance/python-env.js";
import { makeOnce } from "../../src/base/testing/make-once.js";
import { REPO_ROOT } from "../run-script.js";
import { ensureNpmPackages } from "./npm-packages.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Name of a project that has packages of its own. */
    readonly project: string;
  }
}

const PYTHON_PROJECTS = new Map([
  ["trainers", INTEROP],
  ["spark", SPARK],
  ["stores", STORES],
]);

// The first test file of a project installs its packages, while other projects are tested.
const project = inject("project");
makeOnce(`packages-of-${project}`, () => {
  const python = PYTHON_PROJECTS.get(project);
  if (python !== undefined) ensurePythonEnv(REPO_ROOT, python);
  else ensureNpmPackages(join(REPO_ROOT, "conformance/interop", project));
});
