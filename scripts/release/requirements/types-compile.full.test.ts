import { beforeEach, expect, test } from "vitest";
import { useSmallRepository } from "../testing/use-small-repository.js";
import { typesCompile } from "./types-compile.js";

const prepared = useSmallRepository(typesCompile);

const CONFIG = { compilerOptions: { strict: true, types: [] }, include: ["src", "scripts"] };
const TYPE_ERROR = 'export const one = 1;\nexport const two: number = "2";\n';

beforeEach(() => {
  prepared.repository.present("1.0.0", { A: { type: "string" } });
  prepared.repository.write("tsconfig.json", JSON.stringify(CONFIG));
  prepared.repository.write("src/fine.ts", "export const three = 3;\n");
});

async function find(): Promise<unknown[]> {
  return (await prepared.find()).map(
    ({ id, file, line, column, message }) => `${file}:${line}:${column} ${message} (${id})`,
  );
}

test("nothing is missing if everything compiles", async () => {
  expect(await find()).toEqual([]);
});

test("a type error has its place", async () => {
  prepared.repository.write("src/wrong.ts", TYPE_ERROR);
  expect(await find()).toEqual([
    "src/wrong.ts:2:14 TS2322: Type 'string' is not assignable to type 'number'. (types-compile)",
  ]);
  prepared.repository.write("src/wrong.ts", "export {};\n");
  expect(await find()).toEqual([]);
});

test("errors in tests and maintainers' programs do not block a release", async () => {
  for (const file of ["src/a.test.ts", "src/base/testing/a.ts", "scripts/a.ts"]) {
    prepared.repository.write(file, TYPE_ERROR);
  }
  expect(await find()).toEqual([]);
});

test("releases that are planned together share one run", async () => {
  prepared.repository.write("src/wrong.ts", TYPE_ERROR);
  const [one, other] = await Promise.all([prepared.find(), prepared.find()]);
  expect(one).toHaveLength(1);
  expect(other).toBe(one);
});

test("a failed compiler run is a finding", async () => {
  prepared.repository.write("tsconfig.json", '{"files": ["src/none.ts"]}');
  expect(await find()).toEqual([
    expect.stringMatching(/^tsconfig\.json:1:1 cannot be compiled: .*none\.ts/),
  ]);
});
