import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { REPO_ROOT } from "./run-script.js";

/** The rooms from the top down: a file may import its own room and the rooms below it. */
const ROOMS: readonly string[] = [
  "scripts",
  "examples",
  "conformance",
  "src/cli",
  "src/eliza",
  "src/drift",
  "src/compat",
  "src/schemas",
  "src/rollouts",
  "src/validation",
  "src/reporters",
  "src/findings",
  "src/import",
  "src/capture",
  "src/delivery",
  "src/redact",
  "src/export",
  "src/scoring",
  "src/decontamination",
  "src/jsonl",
  "src/files",
  "src/json",
  "src",
  "generated",
];

/** Rooms whose files still move; their imports are not held to the list yet. */
const MOVING = ["conformance", "src/capture", "src/cli", "src/records"];

/** What the package publishes stands here, whatever room it comes from. */
const ENTRY_POINTS = ["src/index.ts"];

interface Import {
  readonly file: string;
  readonly target: string;
}

/** The innermost room that holds a file. */
function roomOf(file: string): string {
  const rooms = [...MOVING, ...ROOMS].filter((room) => file.startsWith(`${room}/`));
  return rooms.reduce((longest, room) => (room.length > longest.length ? room : longest), "");
}

function isAllowed({ file, target }: Import): boolean {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (from === to || ENTRY_POINTS.includes(file)) return true;
  if (MOVING.includes(from) || MOVING.includes(to)) return true;
  return ROOMS.indexOf(from) < ROOMS.indexOf(to);
}

function findImports(folder: string): Import[] {
  return readdirSync(join(REPO_ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|\/testing\//.test(file))
    .flatMap((file) => {
      const matches = readFileSync(join(REPO_ROOT, file), "utf8").matchAll(/\bfrom "([.#][^"]+)"/g);
      return [...matches].map(([, specifier = ""]) => ({
        file,
        target: specifier.startsWith("#")
          ? specifier.replace("#", "")
          : posix.join(posix.dirname(file), specifier),
      }));
    });
}

test("imports run one way, from scripts down to generated", () => {
  const imports = ["scripts", "examples", "src", "conformance"].flatMap(findImports);
  expect(imports.length).toBeGreaterThan(200);
  expect(imports.filter((each) => !isAllowed(each))).toEqual([]);
});

test.each([
  ["src/json/a.ts", "src/files/b.js"],
  ["src/export/a.ts", "src/validation/b.js"],
  ["src/scoring/a.ts", "src/export/b.js"],
  ["src/user-error.ts", "src/json/b.js"],
])("%s may not import %s", (file, target) => {
  expect(isAllowed({ file, target })).toBe(false);
});
