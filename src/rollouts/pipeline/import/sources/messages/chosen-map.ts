import { previewValue, suggestName } from "../../../../../base/text.js";
import { EXIT, UserError } from "../../../../../base/user-error.js";
import { type FieldMap, parseFieldMap } from "./field-map.js";
import { type Preset, presets } from "./presets/index.js";

/** A field map and where it comes from. */
export interface ChosenMap {
  readonly map: FieldMap;
  readonly preset: Preset | undefined;
}

/**
 * Reads `--preset` and `--map`. The fields of `--map` replace those of the preset. Throws UserError (exit 2) if
 * a name is unknown, a value is not a JSON Pointer, or no field holds the conversation.
 */
export function readFieldMap(preset: string | undefined, fields: string | undefined): ChosenMap {
  if (preset === undefined && fields === undefined) {
    throw new UserError(
      `import messages: say where things are in a row, by --preset (${presets.map(({ id }) => id).join(", ")}) or --map messages=/messages,reward=/reward`,
      EXIT.usage,
    );
  }
  const chosen = preset === undefined ? undefined : findPreset(preset);
  const map = { ...chosen?.map, ...parseFieldMap(fields ?? "") };
  if (map.messages === undefined && (map.prompt === undefined || map.completion === undefined)) {
    throw new UserError(
      "--map: name the conversation: messages=/messages, or prompt=/prompt,completion=/completion",
      EXIT.usage,
    );
  }
  return { map, preset: chosen };
}

function findPreset(name: string): Preset {
  const found = presets.find(({ id }) => id === name);
  if (found !== undefined) return found;
  const ids = presets.map(({ id }) => id);
  throw new UserError(
    `--preset ${previewValue(name)}: there is no such preset${suggestName(name, ids)}`,
    EXIT.usage,
  );
}
