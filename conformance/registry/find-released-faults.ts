import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FaultPlace } from "../../src/findings/finding.js";
import { listJsonFiles } from "../../src/schemas/artefacts.js";
import type { Registry, RegistryEntry } from "../../src/schemas/registry.js";
import { atEntry, REGISTRY_FILE } from "../../src/schemas/registry.js";
import {
  hashOf,
  RELEASED_FOLDER,
  RELEASED_HASHES_FILE,
  readReleasedFile,
  readReleasedHashes,
} from "../../src/schemas/releases.js";
import { compareVersionNumbers } from "../../src/schemas/version.js";

/**
 * What is wrong with the published versions of the checkout at `root`: one that changed or went, one whose
 * hash is not recorded, and one that the registry does not name, not in order, or that is not there.
 */
export function findReleasedFaults(root: string, { schemas }: Registry): FaultPlace[] {
  const recorded = readReleasedHashes(root);
  const files = listJsonFiles(root, RELEASED_FOLDER);
  const named = new Set(schemas.flatMap(({ released }) => released));
  return [
    ...schemas.flatMap(({ released }, schema) => {
      const pointer = `/schemas/${schema}/released`;
      if (released.length === 0) return [atEntry(schema, "released", "unpublished", UNPUBLISHED)];
      return released
        .map((file, index) => ({ file, pointer: `${pointer}/${index}` }))
        .filter(({ file }) => !existsSync(join(root, file)))
        .map((place) => missing(place.file, REGISTRY_FILE, { pointer: place.pointer }));
    }),
    ...schemas.flatMap(findDisorder),
    ...[...recorded]
      .filter(([file]) => !existsSync(join(root, file)))
      .map(([file, { line }]) =>
        missing(file, RELEASED_HASHES_FILE, { position: { line, column: 1 } }),
      ),
    ...files.flatMap((file): FaultPlace[] => [
      ...(named.has(file) ? [] : [{ id: "unregistered", file, message: NOT_NAMED }]),
      ...findChange(root, file, recorded.get(file)?.hash),
    ]),
  ];
}

const NOT_NAMED = `is in no list of published versions in ${REGISTRY_FILE}`;

const UNPUBLISHED = "names no published version: npm run release:schema";

/** Versions are told from each other, and the newest found, by what their files are called. */
function findDisorder({ name, released }: RegistryEntry, schema: number): FaultPlace[] {
  return released.flatMap((file, index): FaultPlace[] => {
    const at = (message: string): FaultPlace[] => [
      atEntry(schema, `released/${index}`, "released-name", message),
    ];
    const release = readReleasedFile(file);
    if (release?.name !== name) {
      return at(`must be ${RELEASED_FOLDER}/${name}/v<version>.schema.json, such as v1.1`);
    }
    const before = readReleasedFile(released[index - 1] ?? "");
    const isLater =
      before === undefined || compareVersionNumbers(before.version, release.version) < 0;
    return isLater ? [] : at(`is not later than ${before.file}, which stands before it`);
  });
}

function findChange(root: string, file: string, recorded: string | undefined): FaultPlace[] {
  if (recorded === undefined) {
    const message = `has no hash in ${RELEASED_HASHES_FILE} yet: npm run generate`;
    return [{ id: "released-hash", file, message }];
  }
  if (hashOf(root, file) === recorded) return [];
  const message = "was published and has changed since: restore it, and publish a new version";
  return [{ id: "released-changed", file, message }];
}

function missing(
  released: string,
  file: string,
  place: Pick<FaultPlace, "pointer" | "position">,
): FaultPlace {
  return { id: "missing-file", file, ...place, message: `names ${released}, which is not there` };
}
