import { printReleasedHashes, RELEASED_HASHES_FILE } from "../../../src/schemas/releases.js";
import type { Target } from "../target.js";

/** A published version is recorded when it first appears, and never again. */
export const releasedHashes: Target = {
  id: "released-hashes",
  purpose: "the hashes of new versions in schema/released/SHA256SUMS",
  async generate({ root }) {
    return [{ path: RELEASED_HASHES_FILE, text: printReleasedHashes(root) }];
  },
};
