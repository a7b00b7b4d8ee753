import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { useFolder } from "../base/testing/use-folder.js";
import { findProgramCommand, type Start } from "./program-command.js";

const at = useFolder();

const MAIN = "node_modules/rollout-wire/dist/bin/main.js";
const LINK = "node_modules/.bin/rollout-wire";

/** The program as npm installs it below each of these folders. */
beforeEach(() => {
  for (const folder of ["app", "npm/_npx/d6d2"]) {
    write(`${folder}/${MAIN}`, "");
    mkdirSync(dirname(at(`${folder}/${LINK}`)), { recursive: true });
    symlinkSync(at(`${folder}/${MAIN}`), at(`${folder}/${LINK}`));
  }
  mkdirSync(at("usr/bin"), { recursive: true });
  symlinkSync(at(`app/${MAIN}`), at("usr/bin/rollout-wire"));
});

function write(file: string, text: string): void {
  mkdirSync(dirname(at(file)), { recursive: true });
  writeFileSync(at(file), text);
}

function find(file: string, { env = {}, cwd = at("app"), runtime = "node" }: Partial<Start> = {}) {
  return findProgramCommand({ file: at(file), runtime, cwd, env });
}

const byNpm = (path: string) => ({
  npm_command: "exec",
  PATH: `${at("app/node_modules/.bin")}:${path}`,
});

test("installed in the project, started by npx or a script of package.json", () => {
  const env = byNpm("/usr/bin");
  expect(find(`app/${LINK}`, { env })).toBe("npx --no-install rollout-wire");
  expect(find(`app/${LINK}`, { env, cwd: at("app/packages/one") })).toBe(
    "npx --no-install rollout-wire",
  );
  // Windows starts the file itself.
  expect(find(`app/${MAIN}`, { env })).toBe("npx --no-install rollout-wire");
});

test("installed in the project, started by its path", () => {
  expect(find(`app/${LINK}`)).toBe("npx --no-install rollout-wire");
  expect(find(`app/${LINK}`, { cwd: at("elsewhere") })).toBe(at(`app/${LINK}`));
});

test("on the PATH", () => {
  const PATH = `/bin:${at("usr/bin")}`;
  expect(find("usr/bin/rollout-wire", { env: { PATH } })).toBe("rollout-wire");
  expect(find("usr/bin/rollout-wire", { env: byNpm(at("usr/bin")) })).toBe("rollout-wire");
  expect(find("usr/bin/rollout-wire", { env: { PATH: "/bin" } })).toBe(at("usr/bin/rollout-wire"));
});

test("another program of this name that comes first on the PATH is not this one", () => {
  write("other/rollout-wire", "");
  const PATH = `${at("other")}:${at("usr/bin")}`;
  expect(find("usr/bin/rollout-wire", { env: { PATH } })).toBe(at("usr/bin/rollout-wire"));
});

test.each<[packages: readonly string[], expected: string]>([
  [["rollout-wire@0.1.0"], "npx rollout-wire@0.1.0"],
  [["./rollout-wire-0.1.0.tgz"], "npx --yes --package ./rollout-wire-0.1.0.tgz rollout-wire"],
  [
    ["rollout-wire@0.1.0", "tsx"],
    "npx --yes --package rollout-wire@0.1.0 --package tsx rollout-wire",
  ],
])("fetched by npx: %j", (packages, expected) => {
  write("npm/_npx/d6d2/package.json", JSON.stringify({ _npx: { packages } }));
  expect(find(`npm/_npx/d6d2/${LINK}`, { env: { npm_command: "exec" } })).toBe(expected);
});

test("a file", () => {
  expect(find(`app/${MAIN}`)).toBe(`node ${at(`app/${MAIN}`)}`);
  write("my app/main.js", "");
  expect(find("my app/main.js")).toBe(`node '${at("my app/main.js")}'`);
  expect(find(`app/${MAIN}`, { runtime: "/opt/deno" })).toBe(
    `/opt/deno run -A ${at(`app/${MAIN}`)}`,
  );
});

test("what a launcher says, on one line", () => {
  const env = { ROLLOUT_WIRE_COMMAND: "python -m rollout_wire\u001b", ...byNpm("/usr/bin") };
  expect(find(`app/${MAIN}`, { env })).toBe("python -m rollout_wire\\u001b");
});
