import type { ExportTarget } from "./target.js";
import { training } from "./training.js";
import { wire } from "./wire.js";

const all = { training, wire };

/** What `--target` takes. */
export type TargetId = keyof typeof all;

/** Record that a target writes for a pair. */
export type DpoOf<Id extends TargetId> = ReturnType<(typeof all)[Id]["toDpo"]>;

/** Record that a target writes for a branch. */
export type PpoOf<Id extends TargetId> = ReturnType<(typeof all)[Id]["toPpo"]>;

/** Every format to export to, by its id. */
export const targets: { readonly [Id in TargetId]: ExportTarget<DpoOf<Id>, PpoOf<Id>> } = all;

/** Whether a target is called `id`. */
export function isTargetId(id: string): id is TargetId {
  return Object.hasOwn(targets, id);
}
