import type { Definition } from "../../../conformance/schemas/definitions.js";
import { FileFault } from "../../../src/findings/finding.js";
import { toPointerToken } from "../../../src/json/pointer.js";

/** A location of a schema. */
export interface Place {
  readonly file: string;
  readonly pointer: string;
}

export function placeOf({ schema, name }: Definition): Place {
  return { file: schema.file, pointer: `/$defs/${toPointerToken(name)}` };
}

/** The location at the end of `path`, whose tokens are not yet escaped. */
export function below({ file, pointer }: Place, ...path: string[]): Place {
  return { file, pointer: [pointer, ...path.map(toPointerToken)].join("/") };
}

/** Says that what stands at a location is not in the profile. */
export function refuse({ file, pointer }: Place, message: string, id = "profile"): FileFault {
  return new FileFault({
    id,
    file,
    pointer,
    message: `${message} (not in the profile that every language prints)`,
  });
}
