import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { REPO_ROOT } from "./run-script.js";

/** The rooms from top to bottom: a file imports only its own room and rooms below it. */
const ROOMS: readonly string[] = [
  "examples",
  "scripts",
  "conformance",
  "src/cli",
  "src/eliza",
  "src/report",
  "src/view",
  "src/drift",
  "src/migrate",
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
  "src/parquet",
  "schema/upcasters",
  "src/json",
  "src",
  "generated",
];

/** Exceptions that may import upwards, with reasons. */
const EXCEPTIONS: readonly { readonly from: RegExp; readonly to: RegExp; readonly why: string }[] =
  [
    { from: /^src\/index\.ts$/, to: /^src\//, why: "It exports names of every room." },
    {
      from: /^src\/cli\/commands\/check\.ts$/,
      to: /^conformance\//,
      why: "Only this command needs the conformance runner, and loads it when it runs.",
    },
  ];

interface Import {
  readonly file: string;
  readonly target: string;
}

/** The innermost room that contains a file. */
function roomOf(file: string): string {
  const rooms = ROOMS.filter((room) => file.startsWith(`${room}/`));
  return rooms.reduce((longest, room) => (room.length > longest.length ? room : longest), "");
}

function looksUp({ file, target }: Import): boolean {
  return ROOMS.indexOf(roomOf(file)) > ROOMS.indexOf(roomOf(target));
}

function isExcepted({ file, target }: Import): boolean {
  return EXCEPTIONS.some(({ from, to }) => from.test(file) && to.test(target));
}

/** Source files below a folder, without tests and test helpers. */
function listSources(folder: string): string[] {
  return readdirSync(join(REPO_ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|\/(testing|node_modules)\//.test(file));
}

/** Static and dynamic imports of a file, as paths from the root. */
function findImports(file: string): Import[] {
  const text = readFileSync(join(REPO_ROOT, file), "utf8");
  return [...text.matchAll(/(?:\bfrom |\bimport\()\s*"([.#][^"]+)"/g)].map(
    ([, specifier = ""]) => ({
      file,
      target: specifier.startsWith("#")
        ? specifier.slice(1)
        : posix.join(posix.dirname(file), specifier).replace(/\.js$/, ".ts"),
    }),
  );
}

/** Cycles through a node, each as a list of nodes. */
function findCircles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): void => {
    const start = path.indexOf(node);
    if (start >= 0) circles.push([...path.slice(start), node]);
    if (start >= 0 || done.has(node)) return;
    for (const next of edges.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return circles;
}

/** Pairs of folders that import each other, neither of which contains the other. */
function findTwoWayFolders(imports: readonly Import[]): string[] {
  const pairs = new Set(
    imports.map(({ file, target }) => `${posix.dirname(file)} ${posix.dirname(target)}`),
  );
  return [...pairs].filter((pair) => {
    const [from = "", to = ""] = pair.split(" ");
    const isNested = `${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`);
    return !isNested && from < to && pairs.has(`${to} ${from}`);
  });
}

function toEdges(imports: readonly Import[]): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    edges.set(file, (edges.get(file) ?? new Set()).add(target));
  }
  return edges;
}

const imports = ["examples", "schema/upcasters", "scripts", "src", "conformance"]
  .flatMap(listSources)
  .flatMap(findImports);

test("there are files to check", () => {
  expect(imports.length).toBeGreaterThan(1000);
});

test("a file imports only its own room and the rooms below it", () => {
  expect(imports.filter((each) => looksUp(each) && !isExcepted(each))).toEqual([]);
});

test.each(EXCEPTIONS)("an exception is still needed: $why", ({ from, to }) => {
  expect(
    imports.some((each) => from.test(each.file) && to.test(each.target) && looksUp(each)),
  ).toBe(true);
});

test("imports have no cycles", () => {
  expect(findCircles(toEdges(imports))).toEqual([]);
});

test("no two folders import each other", () => {
  expect(findTwoWayFolders(imports)).toEqual([]);
});

/** Every module that loading a module loads, including packages. */
function findLoaded(entry: string): Set<string> {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    if (!file.endsWith(".ts")) return;
    const text = readFileSync(join(REPO_ROOT, file), "utf8");
    const values = text.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"#]+)";/gm);
    for (const [, specifier = ""] of values) {
      const path = posix.join(posix.dirname(file), specifier).replace(/\.js$/, ".ts");
      load(specifier.startsWith(".") ? path : specifier);
    }
  };
  load(entry);
  return loaded;
}

test.each(["src/index.ts", "src/eliza/index.ts", "conformance/index.ts"])(
  "%s loads no schema compiler and no code generator",
  (entry) => {
    const loaded = [...findLoaded(entry)];
    expect(loaded.length).toBeGreaterThan(20);
    expect(
      loaded.filter((each) => /^(ajv|refa|quicktype|json-schema-to|scripts\/)/.test(each)),
    ).toEqual([]);
  },
);

test("loading is followed transitively: the comparison of copies loads Ajv", () => {
  expect(findLoaded("src/drift/grade.ts")).toContain("ajv/dist/2020.js");
});

test("ARCHITECTURE.md lists the same rooms in the same order", () => {
  const page = readFileSync(join(REPO_ROOT, "ARCHITECTURE.md"), "utf8");
  const listed = [...page.matchAll(/^\| `([\w/]+)\/` \|/gm)].map(([, room]) => room);
  expect(listed).toEqual(ROOMS.filter((room) => !["examples", "src"].includes(room)));
});

describe("violations are detected", () => {
  test.each([
    ["src/json/a.ts", "src/files/b.ts"],
    ["src/export/a.ts", "src/validation/b.ts"],
    ["src/scoring/a.ts", "src/export/b.ts"],
    ["src/user-error.ts", "src/json/b.ts"],
    ["src/cli/a.ts", "conformance/b.ts"],
    ["conformance/a.ts", "scripts/b.ts"],
  ])("%s may not import %s", (file, target) => {
    expect(looksUp({ file, target }) && !isExcepted({ file, target })).toBe(true);
  });

  test("a cycle of three files, and of a file with itself", () => {
    const edge = (file: string, target: string): Import => ({ file, target });
    const edges = toEdges([edge("a", "b"), edge("b", "c"), edge("c", "b"), edge("d", "d")]);
    expect(findCircles(edges)).toEqual([
      ["b", "c", "b"],
      ["d", "d"],
    ]);
  });

  test("two folders that import each other, but not a folder and its subfolder", () => {
    expect(
      findTwoWayFolders([
        { file: "src/a/x.ts", target: "src/b/y.ts" },
        { file: "src/b/z.ts", target: "src/a/w.ts" },
        { file: "src/a/x.ts", target: "src/a/c/y.ts" },
        { file: "src/a/c/y.ts", target: "src/a/x.ts" },
      ]),
    ).toEqual(["src/a src/b"]);
  });
});
