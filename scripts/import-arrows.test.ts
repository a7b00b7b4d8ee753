import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { HOME } from "./home.js";

/** Rooms in layers, from the top down: a file may import its own room and the layers below. */
const LAYERS: readonly (readonly string[])[] = [
  ["scripts", "examples"],
  ["src/cli"],
  ["conformance"],
  ["src/capture"],
  ["src/export"],
  ["src/scoring", "src/decontamination"],
  ["src/records"],
  ["src"],
  ["generated"],
];

/** What the package publishes stands in `src`, whatever room it comes from. */
const PUBLIC_INDEX = "src/index.ts";

interface Import {
  readonly file: string;
  readonly target: string;
}

/** The innermost room that holds a file. */
function roomOf(file: string): string {
  const rooms = LAYERS.flat().filter((room) => file.startsWith(`${room}/`));
  return rooms.reduce((longest, room) => (room.length > longest.length ? room : longest), "");
}

function isAllowed({ file, target }: Import): boolean {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (from === to || file === PUBLIC_INDEX) return true;
  const layerOf = (room: string): number => LAYERS.findIndex((layer) => layer.includes(room));
  return layerOf(from) < layerOf(to);
}

function findImports(folder: string): Import[] {
  return readdirSync(join(HOME, folder), { recursive: true, encoding: "utf8" })
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|\/testing\//.test(file))
    .flatMap((file) => {
      const matches = readFileSync(join(HOME, file), "utf8").matchAll(/\bfrom "([.#][^"]+)"/g);
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
  ["src/records/a.ts", "src/cli/b.js"],
  ["src/export/a.ts", "conformance/b.js"],
  ["conformance/a.ts", "scripts/b.js"],
  ["src/capture/a.ts", "conformance/b.js"],
  ["src/export/a.ts", "src/capture/b.js"],
  ["src/scoring/a.ts", "src/decontamination/b.js"],
  ["src/user-error.ts", "src/records/b.js"],
])("%s may not import %s", (file, target) => {
  expect(isAllowed({ file, target })).toBe(false);
});
