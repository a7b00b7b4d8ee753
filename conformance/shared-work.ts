import { type Coverage, measureCoverage } from "./coverage/coverage.js";
import { type LoadedFixtures, loadFixtures } from "./fixtures/load.js";

/** What several checks of one run need of a checkout. The first of them has it made, and nobody changes it. */
export class SharedWork {
  readonly #root: string;
  #fixtures: LoadedFixtures | undefined;
  #coverage: Coverage | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** The usable fixtures, and the findings about the others. */
  get fixtures(): LoadedFixtures {
    this.#fixtures ??= loadFixtures(this.#root);
    return this.#fixtures;
  }

  /** The coverage of the usable fixtures. Throws as `measureCoverage` does. */
  get coverage(): Coverage {
    this.#coverage ??= measureCoverage(this.#root, this.fixtures);
    return this.#coverage;
  }
}
