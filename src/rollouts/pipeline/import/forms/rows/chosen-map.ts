import type { JsonObject } from "../../../../../base/json/value.js";
import { previewValue, suggestName } from "../../../../../base/text.js";
import { EXIT, UserError } from "../../../../../base/user-error.js";
import { findGroups, findMap } from "./auto-map.js";
import { type FieldMap, parseFieldMap } from "./field-map.js";
import { type Preset, presets } from "./presets/index.js";

/** A field map and where it comes from. */
export interface ChosenMap {
  /** What the user or the preset says; the rest is found in each row. */
  readonly map: FieldMap;
  readonly preset: Preset | undefined;
  /** Whether the places that the map lacks are found by the structure of each row. */
  readonly isFound: boolean;
  /** The map of a row. */
  mapOf(row: JsonObject): FieldMap;
}

interface MapChoice {
  readonly preset?: Preset | undefined;
  /** As of `--map`. */
  readonly fields?: string | undefined;
  readonly sample?: readonly unknown[];
  readonly passValue?: string | undefined;
}

/**
 * Reads `--map`, whose fields replace those of the preset. If neither names a conversation, it is found in each row. If
 * neither names the group, it is that of the source, else an id that repeats, else the task. Throws UserError (exit 2) if a
 * name is unknown, or a value is not a JSON Pointer.
 */
export function chooseMap({ preset, fields = "", sample = [], passValue }: MapChoice): ChosenMap {
  const given: FieldMap = { ...preset?.map, ...parseFieldMap(fields) };
  const map: FieldMap = { ...given, group: given.group ?? findGroups(sample) };
  const isNamed =
    map.messages !== undefined || (map.prompt !== undefined && map.completion !== undefined);
  return {
    ...{ map, preset, isFound: !isNamed },
    mapOf: (row) => (isNamed ? map : { ...findMap(row, passValue), ...map }),
  };
}

/** The preset of that name. Throws UserError (exit 2) if there is none. */
export function findPreset(name: string): Preset {
  const found = presets.find(({ id }) => id === name);
  if (found !== undefined) return found;
  const ids = presets.map(({ id }) => id);
  throw new UserError(
    `--preset ${previewValue(name)}: there is no such preset${suggestName(name, ids)}`,
    EXIT.usage,
  );
}
