import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type GoldenCommand,
  isConfig,
  type Output,
  type OwnSchemas,
  type TargetName,
} from "#generated/index.js";
import { FileFault } from "../src/base/findings/finding.js";
import { isJsonObject } from "../src/base/json/value.js";
import { CONFIG_FILE, OWN_NAME } from "../src/base/package.js";
import { UserError } from "../src/base/user-error.js";
import type { LinkedSchemas } from "../src/contract/codegen/front/link-files.js";
import { toRegistry } from "../src/contract/schemas/foreign-registry.js";
import { readJsonFile } from "../src/contract/schemas/read-json-file.js";
import { REGISTRY_FILE } from "../src/contract/schemas/registry-file.js";
import type { Adapter } from "./agreement/adapter.js";
import type { Coverage } from "./coverage/coverage.js";
import { findFaults } from "./fixtures/faults.js";
import { type LoadedFixtures, loadFixtures } from "./fixtures/load.js";
import { loadSuites, type Suites } from "./fixtures/shelf.js";

/**
 * What a run is about: a repository that has schemas of its own. What several checks need of it is made for the first of
 * them, and nobody changes it.
 */
export class Workspace {
  /** Absolute. */
  readonly root: string;
  #fixtures: LoadedFixtures | undefined;
  #coverage: Promise<Coverage> | undefined;
  #linked: Promise<LinkedSchemas> | undefined;
  #suites: Promise<Suites> | undefined;

  constructor(root: string) {
    this.root = root;
  }

  /** Whether it is the repository of this program, whose rules and outputs are checked too. */
  get isOurs(): boolean {
    const repository = readMember(this.root, CONFIG_FILE, "repository");
    return repository === undefined || repository === OWN_NAME;
  }

  /** Whether it has a registry in our form, with owners, hashes and published versions. */
  get hasRegistry(): boolean {
    if (this.isOurs) return true;
    if (!existsSync(join(this.root, REGISTRY_FILE))) return false;
    const schemas = readMember(this.root, REGISTRY_FILE, "schemas");
    return toRegistry({ schemas }) === undefined;
  }

  /** Its schemas, in normal form. Throws as `linkOwnSchemas` and `findSources` do. */
  linked(): Promise<LinkedSchemas> {
    this.#linked ??= this.#link();
    return this.#linked;
  }

  async #link(): Promise<LinkedSchemas> {
    // Lazy, because the generator takes a while to load.
    const { findSources, linkOwnSchemas, linkPlan, readPlan } = await import("./generator.js");
    const plan = this.isOurs ? undefined : readPlan(this.root);
    return plan === undefined ? linkOwnSchemas(this.root) : linkPlan(plan, await findSources(plan));
  }

  /** The folder of fixtures that the configuration names; undefined if it names none. */
  get fixturesFolder(): string | undefined {
    return this.#schemas.fixtures;
  }

  /** The least share of mutants that fixtures must kill, from 0 to 1. */
  get leastCoverage(): number {
    return this.#schemas.coverage ?? 1;
  }

  /** The commands whose outputs are committed. */
  get golden(): readonly GoldenCommand[] {
    return this.#schemas.golden ?? [];
  }

  /** What its generated code is, and where. */
  get outputs(): readonly Output[] {
    return this.#schemas.outputs ?? [];
  }

  /** Whether `format` is an assertion in its schemas. */
  get assertsFormats(): boolean {
    return this.#schemas.formats === "assert";
  }

  /** Programs that judge its records too. */
  get adapters(): readonly Adapter[] {
    return (this.#schemas.adapters ?? []).map((words) => {
      const [command = "", ...args] = words;
      return { id: words.join(" "), command, args };
    });
  }

  get #schemas(): Partial<OwnSchemas> {
    const config = readFile(this.root, CONFIG_FILE);
    return isConfig(config) ? (config.schemas ?? {}) : {};
  }

  /** Its fixtures, whoever owns it. Throws FileFault for schemas outside of the profile. */
  suites(): Promise<Suites> {
    this.#suites ??= this.#loadSuites();
    return this.#suites;
  }

  async #loadSuites(): Promise<Suites> {
    if (this.isOurs) return { ...this.fixtures, findFaults };
    const { requireProfile } = await import("./generator.js");
    const linked = requireProfile(await this.linked());
    const folder = this.fixturesFolder;
    if (folder === undefined) return { fixtures: [], findings: [], findFaults: () => [] };
    return loadSuites(this.root, folder, linked);
  }

  /** The usable fixtures, and the findings about the others. */
  get fixtures(): LoadedFixtures {
    this.#fixtures ??= loadFixtures(this.root);
    return this.#fixtures;
  }

  /** The coverage of its usable fixtures. Throws as `measureCoverage` does, and as `suites`. */
  measure(): Promise<Coverage> {
    this.#coverage ??= this.#measure();
    return this.#coverage;
  }

  async #measure(): Promise<Coverage> {
    // Lazy, because the solver and the profile take a while to load.
    const { measureCoverage, measureOwnCoverage } = await import("./coverage/coverage.js");
    if (this.isOurs) return measureOwnCoverage(this.root, this.fixtures);
    const { fixtures } = await this.suites();
    return measureCoverage(await this.linked(), fixtures, { folder: this.fixturesFolder ?? "" });
  }
}

function readMember(root: string, file: string, key: string): unknown {
  const value = readFile(root, file);
  return isJsonObject(value) ? value[key] : undefined;
}

/** The value of a JSON file below `root`. Undefined without one: whoever needs the file says what is wrong with it. */
function readFile(root: string, file: string): unknown {
  try {
    return readJsonFile(root, file).value;
  } catch (error) {
    if (error instanceof UserError || error instanceof FileFault) return undefined;
    throw error;
  }
}

/** Why the checks of a registry have nothing to examine; undefined if they have. */
export function whyNoRegistry({ hasRegistry }: Workspace): string | undefined {
  return hasRegistry ? undefined : `it has no ${REGISTRY_FILE} in our form`;
}

/** Why the checks of fixtures have nothing to examine; undefined if they have. */
export function whyNoFixtures({ isOurs, fixturesFolder }: Workspace): string | undefined {
  if (isOurs || fixturesFolder !== undefined) return undefined;
  return `"schemas" in ${CONFIG_FILE} names no folder of "fixtures", such as "tests/fixtures"`;
}

/** The targets whose code judges records. */
export const JUDGES: readonly TargetName[] = ["validators", "python", "pydantic"];

/** Why the check of agreement has nothing to compare; undefined if it has. */
export function whyNoJudge({ outputs }: Workspace): string | undefined {
  if (outputs.some(({ target }) => JUDGES.includes(target))) return undefined;
  return `no output of "schemas" in ${CONFIG_FILE} is code that judges records`;
}
