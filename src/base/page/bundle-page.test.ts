import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempFolder, type TempFolder } from "../files/temp.js";
import { packagesOf, printLicenses } from "./bundle-page.js";

test("the packages of modules: scoped ones, nested ones, each once", () => {
  const paths = ["/a/node_modules/b/c.js", "/a/node_modules/@d/e/f.js", "/a/node_modules/b/g.js"];
  const nested = "/a/node_modules/b/node_modules/h/i.js";
  expect(packagesOf([...paths, nested, "/a/src/j.ts", "\0rolldown/runtime.js"])).toEqual([
    "/a/node_modules/@d/e",
    "/a/node_modules/b",
    "/a/node_modules/b/node_modules/h",
  ]);
});

describe("the license of a package", () => {
  let folder: TempFolder;
  beforeEach(() => {
    folder = createTempFolder();
  });
  afterEach(() => folder.remove());

  function print(license: string, files: Readonly<Record<string, string>>): string {
    const manifest = JSON.stringify({ name: "@a/b", version: "1.2.3", license });
    const path = join(folder.path, "package");
    mkdirSync(path);
    for (const [name, text] of Object.entries({ "package.json": manifest, ...files })) {
      writeFileSync(join(path, name), text);
    }
    return printLicenses([path]);
  }

  test("is its own text, with its notice", () => {
    const files = {
      "license.md": "Do what you want.\n",
      "NOTICE.txt": "Made by B.\n",
      "main.js": "",
    };
    expect(print("MIT", files)).toBe("# @a/b 1.2.3 (MIT)\n\nMade by B.\n\nDo what you want.\n");
  });

  test("is the text of Apache-2.0 where a package names only that", () => {
    expect(print("Apache-2.0", {})).toMatch(/^# @a\/b 1\.2\.3 \(Apache-2\.0\)\n\nApache License/);
  });

  test("must be in the package otherwise", () => {
    expect(() => print("MIT", { "main.js": "" })).toThrow("@a/b has no LICENSE");
  });
});
