import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isJsonObject } from "../../src/base/json/value.js";

const { resolve } = createRequire(import.meta.url);
const wasm = readFileSync(resolve("parquet-wasm/esm/parquet_wasm_bg.wasm"), "latin1");
const texts = readFileSync(join(import.meta.dirname, "parquet-wasm-licenses.txt"), "utf8");

/** Licenses that demand no more than their text and their notices. `A OR B`: one of them is enough. */
const PERMISSIVE = /^(?:Apache-2\.0|MIT|BSD-3-Clause|Unicode-3\.0|Zlib)$/;

/** The lines `name version (license)`. */
function listCrates(text: string): { readonly id: string; readonly license: string }[] {
  const lines = text.matchAll(/^([\w-]+ \d\S+) \((.+)\)$/gm);
  return [...lines].map(([, id = "", license = ""]) => ({ id, license }));
}

/** The crates that the binary names, in the places of its panics. It does not name those that never panic. */
function findCompiled(binary: string): string[] {
  const places = binary.matchAll(/index\.crates\.io-\w+\/([\w-]+)-(\d+\.[\w.+-]+)\/src\//g);
  return [...new Set([...places].map(([, name, version]) => `${name} ${version}`))].sort();
}

function findUnlisted(binary: string, text: string): string[] {
  const listed = new Set(listCrates(text).map(({ id }) => id));
  return findCompiled(binary).filter((id) => !listed.has(id));
}

/**
 * If this is red, parquet-wasm has a new version. Then `cargo tree --target wasm32-unknown-unknown -e normal,no-proc-macro`
 * of the dependencies in its Cargo.toml, at the versions that the binary names, lists the crates; cargo stores their texts.
 */
test("the licenses of parquet-wasm are those of the version in use, with every crate that its binary names", () => {
  const manifest: unknown = JSON.parse(
    readFileSync(join(resolve("parquet-wasm/esm/parquet_wasm.js"), "../../package.json"), "utf8"),
  );
  const version = isJsonObject(manifest) ? manifest.version : undefined;
  expect(texts.split("\n")[0]).toBe(`# Rust crates in parquet-wasm ${version}`);
  expect(findCompiled(wasm).length).toBeGreaterThan(40);
  expect(findUnlisted(wasm, texts)).toEqual([]);
});

test("every license is permissive, and every crate that is not under Apache-2.0 alone has a text", () => {
  const crates = listCrates(texts);
  expect(new Set(crates.map(({ id }) => id)).size).toBeGreaterThan(100);
  for (const { id, license } of crates) {
    const parts = license.replaceAll(/[()]/g, "").split(" AND ");
    const isFree = parts.every((part) =>
      part.split(/ OR |\//).some((each) => PERMISSIVE.test(each)),
    );
    expect([id, isFree]).toEqual([id, true]);
  }
  const sections = texts.split(/^## Under /m).slice(1);
  const withText = new Set(
    sections
      .slice(1)
      .flatMap(listCrates)
      .map(({ id }) => id),
  );
  expect(sections[0]).toMatch(/^Apache-2\.0, whose text is above\n/);
  for (const { id, license } of crates) {
    const isApache = license.split(/ OR |\//).includes("Apache-2.0");
    if (!isApache) expect([id, withText.has(id)]).toEqual([id, true]);
  }
});

test("another version, and a crate that is not listed, are seen", () => {
  const other = wasm.replaceAll("/snap-1.1.2/", "/snap-1.1.3/");
  expect(findUnlisted(other, texts)).toEqual(["snap 1.1.3"]);
  expect(findUnlisted(wasm, texts.replace(/^snap .*$/m, ""))).toEqual(["snap 1.1.2"]);
});
