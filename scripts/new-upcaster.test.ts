import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packageRoot } from "../src/base/package.js";
import { EXIT } from "../src/base/user-error.js";
import {
  createThreeVersions,
  type ThreeVersions,
} from "../src/contract/migrate/testing/three-versions.js";
import { run } from "./new-upcaster.js";
import { runInProcess } from "./testing/run-in-process.js";

let versions: ThreeVersions;
beforeEach(() => {
  versions = createThreeVersions();
});
afterEach(() => versions.remove());

const UPCASTER = "schema/upcasters/order-v1-v2.ts";
const TEST = "schema/upcasters/order-v1-v2.test.ts";

const create = (...names: string[]) => runInProcess(run, names, { root: versions.root });
const read = (file: string): string => readFileSync(join(versions.root, file), "utf8");

test("a missing step gets a skeleton, and the witness of its break as the first test", async () => {
  rmSync(join(versions.root, UPCASTER));
  const { status, stdout } = await create();
  expect([status, stdout]).toEqual([
    EXIT.ok,
    `written\n  ${UPCASTER}\n  ${TEST}\nnext: npm run format, then make the tests of each pass\n`,
  ]);
  expect(read(UPCASTER)).toContain('return { ...record, "order_version": "order/v2" };');
  const [, first = ""] = /^test\.each\(\[\n {2}(.*),$/m.exec(read(TEST)) ?? [];
  const witness: unknown = JSON.parse(first);
  expect(witness).toMatchObject({ id: expect.any(String), client: expect.any(String) });
  expect(read(TEST)).toContain('upgradeRecord("order/v1", "order/v2", record)');
  const imported = [UPCASTER, TEST].flatMap((file) => [
    ...read(file).matchAll(/from "(\.[^"]+)\.js"/g),
  ]);
  expect(imported).toHaveLength(2);
  for (const [, path = ""] of imported) {
    expect(existsSync(join(packageRoot(), "schema/upcasters", `${path}.ts`))).toBe(true);
  }
});

test("a test that is there already stays", async () => {
  rmSync(join(versions.root, UPCASTER));
  versions.write(TEST, "// mine\n");
  expect((await create("order")).stdout).toMatch(`written\n  ${UPCASTER}\nnext`);
  expect(read(TEST)).toBe("// mine\n");
});

test("nothing is missing, or there is no such schema", async () => {
  expect((await create()).stdout).toBe("nothing to write: every step has its upcaster\n");
  expect(await create("orders")).toMatchObject({
    status: EXIT.usage,
    stderr: "orders: no such schema: use one of order\n",
  });
});
