import type { FieldMap } from "../field-map.js";
import openhands from "./openhands.json" with { type: "json" };
import primeRl from "./prime-rl.json" with { type: "json" };
import sweSmith from "./swe-smith.json" with { type: "json" };
import teich from "./teich.json" with { type: "json" };
import trl from "./trl.json" with { type: "json" };

/** A known layout of rows. It is data only: a file of this folder. */
export interface Preset {
  /** Name on the command line. */
  readonly id: string;
  /** Who writes such rows. */
  readonly purpose: string;
  readonly map: FieldMap;
  /** A row has this layout if it has all places of one of these lists. */
  readonly signs: readonly (readonly string[])[];
}

/** All presets, in the order of `--help`. */
export const presets: readonly Preset[] = [teich, primeRl, openhands, sweSmith, trl];
