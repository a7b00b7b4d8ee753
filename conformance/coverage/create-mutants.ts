import { toPointerToken } from "../../src/json/pointer.js";
import type { Definitions } from "../schemas/link-definitions.js";
import type { Direction } from "./judge.js";
import { type Location, listLocations } from "./list-locations.js";
import { operators } from "./operators/index.js";
import type { Change } from "./operators/operator.js";

/** A change to a constraint of a schema; equivalent ones count as mutants too. */
export interface Mutant {
  readonly location: Location;
  readonly keyword: string;
  readonly direction: Direction;
  readonly change: Change;
  /** JSON Pointer of the constraint in the schema's file. */
  readonly pointer: string;
}

/** Every mutant of every definition, in the order of the files. */
export function createMutants(definitions: Definitions): Mutant[] {
  return listLocations(definitions).flatMap((location) =>
    operators.flatMap(({ keyword, loosen, tighten }) => {
      const toMutant =
        (direction: Direction) =>
        (change: Change): Mutant => {
          const tokens = change.at.map((token) => `/${toPointerToken(token)}`);
          const pointer = `${location.pointer}${tokens.join("")}`;
          return { location, keyword, direction, change, pointer };
        };
      return [
        ...loosen(location.node, definitions).map(toMutant("loosened")),
        ...tighten(location.node, definitions).map(toMutant("tightened")),
      ];
    }),
  );
}
