import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../src/base/package.js";
import { ENTRY_POINTS } from "./bundle/library.js";

/** The rooms from top to bottom: a file imports only its own room and rooms below it. */
const ROOMS: readonly string[] = [
  "examples",
  "scripts",
  "src/cli",
  "conformance",
  "src",
  "src/contract/pages",
  "src/contract/drift",
  "src/contract/migrate",
  "src/contract/codegen",
  "src/contract/compat",
  "src/contract/schemas",
  "schema",
  "src/rollouts/eliza",
  "src/rollouts/look",
  "src/rollouts/pipeline",
  "src/rollouts/capture",
  "src/rollouts/wire/validation",
  "src/rollouts/wire/preflight",
  "src/rollouts/wire/scan",
  "src/rollouts/wire/export",
  "src/rollouts/wire/scoring",
  "src/rollouts/wire/decontamination",
  "src/rollouts/wire/conversation",
  "src/base/run",
  "src/base/reporters",
  "src/base/findings",
  "src/base/page",
  "src/base/jsonl",
  "src/base/files",
  "src/base/parquet",
  "src/base/json",
  "src/base",
  "generated",
];

/** Two products in one house: what both need is in a wing below, and what needs both is above. */
const APART = ["src/contract/", "src/rollouts/"] as const;

/** The folders with source files. Python elsewhere than in `integrations` and `src` belongs to tests and benchmarks. */
const FOLDERS = ["action", "conformance", "examples", "integrations", "schema", "scripts", "src"];

interface Import {
  readonly file: string;
  readonly target: string;
}

function readSource(file: string): string {
  return readFileSync(join(packageRoot(), file), "utf8");
}

/** The longest of some folders that contains a file; "" if none does. */
function innermost(folders: readonly string[], file: string): string {
  const found = folders.filter((folder) => file.startsWith(`${folder}/`));
  return found.reduce((longest, folder) => (folder.length > longest.length ? folder : longest), "");
}

/** Why an import runs the wrong way; undefined if it does not. */
function findFault({ file, target }: Import): string | undefined {
  const [from, to] = [file, target].map((path) => ROOMS.indexOf(innermost(ROOMS, path)));
  if (from === undefined || to === undefined || from < 0 || to < 0) return "in no room";
  if (from > to) return "up";
  const [wing, other] = [file, target].map((path) => APART.find((each) => path.startsWith(each)));
  return wing !== undefined && other !== undefined && wing !== other ? "across" : undefined;
}

/** Source files below a folder, without tests, test helpers and declarations. */
function listSources(folder: string): string[] {
  return readdirSync(join(packageRoot(), folder), { recursive: true, encoding: "utf8" })
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((file) => /\.(?:tsx?|m?js)$|^(?:integrations|src)\/.*\.py$/.test(file))
    .filter((file) => !/\.test\.ts$|\.d\.ts$|\/(?:testing|node_modules|build)\//.test(file));
}

const sources = FOLDERS.flatMap(listSources);
const isPython = (file: string): boolean => file.endsWith(".py");

/** The file that a specifier names: modules are imported as JavaScript. */
function resolveImport(file: string, specifier: string): string {
  if (specifier.startsWith("#")) return specifier.slice(1);
  const path = posix.join(posix.dirname(file), specifier);
  if (sources.includes(path)) return path;
  const module = path.replace(/\.js$/, ".ts");
  return sources.includes(`${module}x`) ? `${module}x` : module;
}

/** Static and dynamic imports of a file, as paths from the root. */
function findImports(file: string): Import[] {
  return [...readSource(file).matchAll(/(?:\bfrom |\bimport\()\s*"([.#][^"]+)"/g)].map(
    ([, specifier = ""]) => ({ file, target: resolveImport(file, specifier) }),
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

const imports = sources
  .filter((file) => !isPython(file) && !file.startsWith("conformance/interop/"))
  .flatMap(findImports);

test("there are files to check, those of pages too", () => {
  expect(imports.length).toBeGreaterThan(1000);
  expect(imports.filter(({ file }) => file.endsWith(".tsx")).length).toBeGreaterThan(50);
});

test("a file imports only its own room and the rooms below it, and nothing of the other product", () => {
  const wrong = imports.flatMap((each) => {
    const fault = findFault(each);
    return fault === undefined ? [] : [`${each.file} imports ${each.target}: ${fault}`];
  });
  expect(wrong).toEqual([]);
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
    const values = readSource(file).matchAll(
      /^(?:import|export) (?!type )[^;]*?from "([^"#]+)";/gm,
    );
    for (const [, specifier = ""] of values) {
      load(specifier.startsWith(".") ? resolveImport(file, specifier) : specifier);
    }
  };
  load(entry);
  return loaded;
}

test.each(ENTRY_POINTS.map((name) => `${name}.ts`))(
  "%s loads no schema compiler and no code generator",
  (entry) => {
    const loaded = [...findLoaded(entry)];
    expect(loaded.length).toBeGreaterThan(20);
    expect(
      loaded.filter((each) =>
        /^(ajv|refa|quicktype|json-schema-to|scripts\/|src\/contract\/codegen\/)/.test(each),
      ),
    ).toEqual([]);
  },
);

test("loading is followed transitively: the comparison of copies loads Ajv, and the generator itself", () => {
  expect(findLoaded("src/contract/drift/grade.ts")).toContain("ajv/dist/2020.js");
  const generator = "src/contract/codegen/generate-files.ts";
  expect(findLoaded("src/cli/generate/run.ts")).toContain(generator);
});

test("what generates code loads none, which may be missing or torn", () => {
  const loaded = ["src/cli/commands/index.ts", "src/cli/generate/run.ts"].flatMap((entry) =>
    [...findLoaded(entry)].filter((each) => each.endsWith(".ts")),
  );
  const isUser = (file: string): boolean =>
    /^(?:import|export) (?!type )[^;]*?from "#generated/m.test(readSource(file));
  expect(loaded.filter(isUser)).toEqual([]);
  expect(isUser("src/contract/schemas/registry.ts")).toBe(true);
});

/** Imports of values from the file system or a room that uses it; the name of a file is none. */
function findFileAccess(file: string): string[] {
  const values = readSource(file).matchAll(
    /^import (?!type |\{ displayName \})[^;]*?from "([^"]+)";/gm,
  );
  return [...values]
    .map(([, specifier = ""]) => specifier)
    .filter((each) => /^node:(?:fs|child_process)|\/base\/(?:files|run|parquet)\//.test(each));
}

test("the format touches no file system", () => {
  const format = sources.filter((file) => file.startsWith("src/rollouts/wire/"));
  expect(format.length).toBeGreaterThan(50);
  expect(format.flatMap(findFileAccess)).toEqual([]);
  expect(findFileAccess("src/base/files/git.ts")).not.toEqual([]);
});

const page = readSource("ARCHITECTURE.md");

test("ARCHITECTURE.md lists the same rooms in the same order", () => {
  const listed = [...page.matchAll(/^\| `([\w/]+)\/` \| (?!\d)/gm)].map(([, room]) => room);
  expect(listed).toEqual(ROOMS.filter((room) => !["examples", "src"].includes(room)));
});

/** Lines of code: without blank lines and lines of comments. */
function countCode(text: string, comment: string): number {
  let isInside = false;
  return text.split("\n").filter((line) => {
    const code = line.trim();
    const starts = !isInside && comment === "//" && /^\{?\/\*/.test(code);
    const isComment = isInside || starts || code === "" || code.startsWith(comment);
    isInside = (isInside || starts) && !code.includes("*/");
    return !isComment;
  }).length;
}

interface SizedFile {
  readonly file: string;
  readonly lines: number;
}

/** One line for each wing that is over its budget, with its largest files. */
function findOverBudget(
  budgets: ReadonlyMap<string, number>,
  files: readonly SizedFile[],
): string[] {
  const wings = [...budgets.keys()];
  return [...budgets].flatMap(([wing, budget]) => {
    const own = files.filter(({ file }) => innermost(wings, file) === wing);
    const lines = own.reduce((sum, each) => sum + each.lines, 0);
    if (lines <= budget) return [];
    const largest = own
      .toSorted((one, other) => other.lines - one.lines)
      .slice(0, 5)
      .map((each) => `${each.file} ${each.lines}`);
    return [`${wing}/ has ${lines} lines of code, and room for ${budget}: ${largest.join(", ")}`];
  });
}

/** The budgets of ARCHITECTURE.md, by wing. */
const budgets = new Map(
  [...page.matchAll(/^\| `([\w/]+)\/` \| ([\d,]+) \|/gm)].map(
    ([, wing = "", lines = ""]) => [wing, Number(lines.replaceAll(",", ""))] as const,
  ),
);

const sized = sources.map((file) => ({
  file,
  lines: countCode(readSource(file), isPython(file) ? "#" : "//"),
}));

test("every source file is in a wing with a budget", () => {
  expect(sources.filter((file) => innermost([...budgets.keys()], file) === "")).toEqual([]);
});

test("no wing is over its budget of lines", () => {
  expect(findOverBudget(budgets, sized)).toEqual([]);
});

describe("violations are detected", () => {
  test.each([
    ["src/base/json/a.ts", "src/base/files/b.ts", "up"],
    ["src/rollouts/wire/export/a.ts", "src/rollouts/wire/validation/b.ts", "up"],
    ["src/rollouts/wire/conversation/a.ts", "src/rollouts/wire/export/b.ts", "up"],
    ["src/base/user-error.ts", "src/base/json/b.ts", "up"],
    ["conformance/a.ts", "src/cli/b.ts", "up"],
    ["src/contract/codegen/a.ts", "scripts/b.ts", "up"],
    ["src/contract/schemas/a.ts", "src/index.ts", "up"],
    ["src/contract/drift/a.tsx", "src/rollouts/wire/export/b.ts", "across"],
    ["src/rollouts/look/a.tsx", "src/contract/schemas/b.ts", "up"],
    ["src/loose.ts", "elsewhere/b.ts", "in no room"],
  ])("%s may not import %s", (file, target, fault) => {
    expect(findFault({ file, target })).toBe(fault);
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

  test("a wing over its budget is named with its five largest files", () => {
    const files = [1, 2, 3, 4, 5, 6].map((lines) => ({ file: `src/a/${lines}.ts`, lines }));
    const others = [{ file: "src/b.ts", lines: 9 }];
    const found = findOverBudget(
      new Map([
        ["src", 9],
        ["src/a", 20],
      ]),
      [...files, ...others],
    );
    expect(found).toEqual([
      "src/a/ has 21 lines of code, and room for 20: src/a/6.ts 6, src/a/5.ts 5, src/a/4.ts 4, src/a/3.ts 3, src/a/2.ts 2",
    ]);
  });

  test("blank lines and comments are no code", () => {
    const text = 'a();\n\n  // b\n/**\n * c\n */\nd(); // e\n{/* f */}\nconst url = "//g";\n';
    expect(countCode(text, "//")).toBe(3);
    expect(countCode("a = 1\n\n# b\n    # c\nd = 2\n", "#")).toBe(2);
  });
});
