import type { Artefact, Registry, Repository } from "#generated/index.js";
import type { FaultPlace } from "../../src/findings/finding.js";
import { listArtefacts } from "../../src/schemas/artefacts.js";
import { REGISTRY_FILE } from "../../src/schemas/registry.js";
import { isLater } from "../../src/schemas/version.js";

/** This repository, which makes what the others hold copies of. */
const OWN_NAME = "rollout-wire";

/**
 * What is wrong with the repositories of the registry: one that a schema names and the registry does not, a role
 * that no schema gives it, and artefacts that are not there, lie where another does, or are ahead of their schema.
 */
export function findRepositoryFaults(root: string, registry: Registry): FaultPlace[] {
  const names = registry.repositories.map(({ name }) => name);
  const known = new Set([OWN_NAME, ...names]);
  return [
    ...registry.schemas.flatMap(({ owner, producers, consumers }, index) =>
      [owner, ...producers, ...consumers]
        .filter((name) => !known.has(name))
        .map((name) => at(`/schemas/${index}`, "repository", `names ${name}, ${UNKNOWN}`)),
    ),
    ...registry.repositories.flatMap((repository, index) => {
      const pointer = `/repositories/${index}`;
      const isSecond = names.indexOf(repository.name) < index;
      return [
        ...(isSecond ? [at(`${pointer}/name`, "repository", "is named twice")] : []),
        ...findRoleFaults(repository, registry, `${pointer}/roles`),
        ...repository.artefacts.flatMap((artefact, number) =>
          findArtefactFaults(root, artefact, registry, `${pointer}/artefacts/${number}`),
        ),
        ...findSecondCopies(repository, pointer),
      ];
    }),
  ];
}

const UNKNOWN = 'which is not among the "repositories": enter what it holds';

function findRoleFaults(
  { name, roles }: Repository,
  { schemas }: Registry,
  pointer: string,
): FaultPlace[] {
  const given = new Set(
    schemas.flatMap(({ owner, producers, consumers }): string[] => [
      ...(owner === name ? ["owner"] : []),
      ...(producers.includes(name) ? ["producer"] : []),
      ...(consumers.includes(name) ? ["consumer"] : []),
    ]),
  );
  if (given.size === roles.length && roles.every((role) => given.has(role))) return [];
  const said = [...given].join(", ") || "of no role";
  return [at(pointer, "roles", `are not those that the schemas give ${name}: ${said}`)];
}

function findArtefactFaults(
  root: string,
  artefact: Artefact,
  { schemas }: Registry,
  pointer: string,
): FaultPlace[] {
  const schema = schemas.find(({ name }) => name === artefact.schema);
  if (schema === undefined) {
    return [at(`${pointer}/schema`, "artefact", `names ${artefact.schema}, which is no schema`)];
  }
  const faults: FaultPlace[] = [];
  if (artefact.kind === "schema" && artefact.source !== schema.file) {
    faults.push(
      at(`${pointer}/source`, "artefact", `is not the file of the schema, ${schema.file}`),
    );
  }
  if (isLater(artefact.version, schema.version)) {
    const message = `is ahead of ${schema.name}, which is at ${schema.version}`;
    faults.push(at(`${pointer}/version`, "artefact", message));
  }
  if (listArtefacts(root, artefact).length === 0) {
    const message = `names ${artefact.source}, where there is no file`;
    faults.push(at(`${pointer}/source`, "missing-file", message));
  }
  return faults;
}

function findSecondCopies({ artefacts }: Repository, pointer: string): FaultPlace[] {
  const paths = artefacts.map(({ path }) => path);
  return paths.flatMap((path, index) =>
    paths.slice(0, index).some((other) => overlaps(path, other))
      ? [at(`${pointer}/artefacts/${index}/path`, "artefact", "is where another copy lies")]
      : [],
  );
}

/** Whether one of two paths is the other, or lies in it. */
function overlaps(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function at(pointer: string, id: string, message: string): FaultPlace {
  return { id, file: REGISTRY_FILE, pointer, message };
}
