import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCommandLines } from "../conformance/package/testing/read-command-lines.js";
import { runTool } from "../conformance/package/testing/run-tool.js";
import {
  ALL_PARTS,
  copyRepository,
  type RepositoryCopy,
} from "../src/base/testing/copy-repository.js";
import { startServer, type TestServer } from "../src/base/testing/start-server.js";
import { EXIT } from "../src/base/user-error.js";
import { artefactsOf } from "./publish/artefacts.js";
import { readPublisher } from "./publish/publisher.js";
import { findRepositoryNames } from "./publish/repository-names.js";
import { tryTool } from "./publish/run-tool.js";
import { readSection } from "./release/changelog.js";
import { run } from "./release-package.js";
import { REPO_ROOT } from "./run-script.js";
import { runInProcess, type ScriptOutcome } from "./testing/run-in-process.js";

const PARTS = [
  ...ALL_PARTS.filter((part) => part !== "fixtures"),
  ...[".gitignore", "ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "docs"],
  "examples/browser",
  "fixtures/golden/data-loop",
  "integrations/spark",
];

const { version } = readPublisher(REPO_ROOT);
const { tarball, wheel, sdist, sparkWheel, sparkSdist, sums, notes } = artefactsOf(version);
const packages = [tarball, wheel, sdist, sparkWheel, sparkSdist];

/** The checkout of a publisher who has done everything that a release needs. */
let copy: RepositoryCopy;
let registry: TestServer;
let rehearsal: ScriptOutcome;

beforeAll(async () => {
  registry = await startServer((response, _number, { body }) => {
    // npm looks for the versions of a package, and then sends a new one.
    response.writeHead(body === "" ? 404 : 201, { "content-type": "application/json" }).end("{}");
  });
  copy = copyRepository(PARTS);
  copy.edit("package.json", (text) =>
    text
      .replaceAll("<owner>", "jane")
      .replace('"<author>"', '"Jane Doe", "email": "jane@x.example"'),
  );
  for (const place of findRepositoryNames(copy.root).map(({ place }) => place)) {
    const [page = ""] = place.split(":");
    copy.edit(page, (text) => text.replace("<owner>", "jane"));
  }
  expect(copy.run("cli", "generate")).toMatchObject({ status: EXIT.ok });
  copy.edit("CHANGELOG.md", (text) => text.replace("(unreleased)", "(2026-01-01)"));
  git("init", "--quiet");
  // Links to folders, which the patterns of .gitignore do not match.
  writeFileSync(join(copy.root, ".git/info/exclude"), "node_modules\n.venv\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "release");
  rehearsal = await release("--dry-run");
});
afterAll(async () => {
  copy.remove();
  await registry.close();
});

const read = (file: string): string => readFileSync(join(copy.root, file), "utf8");

function git(...args: string[]): string {
  const author = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  return runTool("git", [...author, ...args], copy.root);
}

const registryUrl = (): string => new URL("/", registry.url).href;

function release(flag?: string, env: Readonly<Record<string, string>> = {}) {
  return runInProcess(run, flag === undefined ? [] : [flag], {
    root: copy.root,
    env: { npm_config_registry: registryUrl(), ...env },
  });
}

/** The packages that npm has sent to the registry. */
function uploads(): { readonly token: string | undefined; readonly document: unknown }[] {
  return registry.received
    .filter(({ body }) => body !== "")
    .map(({ headers, body }) => ({ token: headers.authorization, document: JSON.parse(body) }));
}

const UNZIP = "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())";

/** A file in an archive of the release, as text. */
const unpack = (archive: string, file: string): string =>
  archive.endsWith(".whl")
    ? runTool("python3", ["-c", UNZIP, archive, file], copy.root)
    : runTool("tar", ["-xzOf", archive, file], copy.root);

test("a rehearsal builds everything, and publishes nothing", () => {
  const { stdout, ...rest } = rehearsal;
  expect(rest).toEqual({ status: EXIT.ok, stderr: "" });
  expect(stdout.replaceAll(/ +[\d.]+ (bytes|k?M?B)/g, "")).toBe(
    [
      `${version}: 6 requirements met`,
      ...[...packages, sums, notes].map((file) => `  ${file}`),
      `nothing published. Next: git tag v${version} && git push origin v${version}\n`,
    ].join("\n"),
  );
  expect(uploads()).toEqual([]);
  expect(git("status", "--porcelain")).toBe("");
});

test("the notes are the section of the changelog, and the hashes those of the files", () => {
  expect(read(notes)).toBe(readSection(read("CHANGELOG.md"), version));
  for (const file of packages) {
    cpSync(join(copy.root, file), join(copy.root, "out", file.split("/").at(-1) ?? ""));
  }
  const said = runTool("sha256sum", ["--check", "--strict", `../${sums}`], join(copy.root, "out"));
  expect(said.match(/: OK$/gm)).toHaveLength(packages.length);
});

test("both packages name the publisher", () => {
  const page = "https://github.com/jane/rollout-wire";
  expect(JSON.parse(unpack(tarball, "package/package.json"))).toMatchObject({
    version,
    author: { name: "Jane Doe", email: "jane@x.example" },
    repository: { type: "git", url: `git+${page}.git` },
  });
  for (const metadata of [
    unpack(wheel, `rollout_wire-${version}.dist-info/METADATA`),
    unpack(sdist, `rollout_wire-${version}/PKG-INFO`),
  ]) {
    const [head = ""] = metadata.split("\n\n");
    expect(head.split("\n")).toEqual(
      expect.arrayContaining([
        `Version: ${version}`,
        "Author-email: Jane Doe <jane@x.example>",
        `Project-URL: Homepage, ${page}#readme`,
        `Project-URL: Documentation, ${page}/blob/v${version}/docs/python.md`,
        `Project-URL: Repository, ${page}`,
        `Project-URL: Issues, ${page}/issues`,
        `Project-URL: Changelog, ${page}/blob/v${version}/CHANGELOG.md`,
        "Description-Content-Type: text/markdown",
      ]),
    );
  }
});

test("the Python package has all modules, its license, and the program with those of its packages", () => {
  const modules = git("ls-files", "generated/python", "integrations/python/rollout_wire_extras/*");
  const names = modules.trimEnd().split("\n");
  expect(names.length).toBeGreaterThan(20);
  for (const path of names) {
    const name = path.replace(/^(generated|integrations)\/python\//, "");
    expect(unpack(wheel, name).trim()).toBe(read(path).trim());
    expect(unpack(sdist, `rollout_wire-${version}/${name}`)).toBe(read(path));
  }
  expect(unpack(wheel, `rollout_wire-${version}.dist-info/licenses/LICENSE`).trim()).toBe(
    read("LICENSE").trim(),
  );
  const program = "rollout_wire_extras/program";
  expect(JSON.parse(unpack(wheel, `${program}/package.json`))).toMatchObject({ version });
  const listed = runTool("python3", ["-m", "zipfile", "-l", wheel], copy.root);
  const [licenses = ""] = /\S+LICENSES\.txt/.exec(listed) ?? [];
  expect(unpack(wheel, licenses)).toContain("Permission is hereby");
});

test("the package for Spark has all of its modules, and the version of package.json", () => {
  const folder = "rollout_wire_spark";
  const modules = git("ls-files", `integrations/spark/${folder}`).trimEnd().split("\n");
  expect(modules.length).toBeGreaterThan(10);
  for (const path of modules) {
    const name = path.slice("integrations/spark/".length);
    expect(unpack(sparkWheel, name).trim()).toBe(read(path).trim());
    expect(unpack(sparkSdist, `${folder}-${version}/${name}`)).toBe(read(path));
  }
  const metadata = unpack(sparkWheel, `${folder}-${version}.dist-info/METADATA`);
  expect(metadata).toContain(`\nVersion: ${version}\n`);
});

test("npm finds nothing to correct in package.json", () => {
  const before = read("package.json");
  runTool("npm", ["pkg", "fix"], copy.root);
  const after = read("package.json");
  writeFileSync(join(copy.root, "package.json"), before);
  expect(JSON.parse(after)).toEqual(JSON.parse(before));
});

/** The links of a text that lead nowhere. `base` is what a relative link is relative to, if the page resolves any. */
function findDeadLinks(text: string, base: string | undefined): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(1);
  const pages = /^https:\/\/github\.com\/jane\/rollout-wire\/blob\/(?:HEAD|v[\d.]+)\/([^#]*)/;
  return links.filter((link) => {
    if (base === undefined && !link.startsWith("https://")) return true;
    const [, path] = pages.exec(new URL(link, base).href) ?? [];
    // Pages elsewhere cannot be looked at here.
    if (path === undefined) return !/^https:\/\/(?!github\.com\/jane)/.test(link);
    return git("ls-files", path) === "";
  });
}

test("the links of README.md work on npm's page, which resolves them in the repository", () => {
  const readme = unpack(tarball, "package/README.md");
  expect(readme).toBe(read("README.md"));
  const page = runTool("npm", ["repo", "--browser=false"], copy.root).match(/https:.*/)?.[0];
  expect(findDeadLinks(readme, `${page}/blob/HEAD/`)).toEqual([]);
});

test("the links of the Python package work on PyPI's page, which resolves none", () => {
  const metadata = unpack(wheel, `rollout_wire-${version}.dist-info/METADATA`);
  const description = metadata.slice(metadata.indexOf("\n\n"));
  const page = `https://github.com/jane/rollout-wire/blob/v${version}`;
  const readme = read("integrations/python/README.md").replaceAll("](../../", `](${page}/`);
  expect(description.trim()).toBe(readme.trim());
  expect(findDeadLinks(description, undefined)).toEqual([]);
});

test("plain npm publish refuses", async () => {
  // Asynchronous: the registry is in this process.
  const { isGreen, stderr } = await tryTool("npm", ["publish"], {
    cwd: copy.root,
    env: { npm_config_registry: registryUrl() },
  });
  expect([isGreen, stderr]).toEqual([
    false,
    expect.stringContaining("nothing published: use npm run release:package"),
  ]);
  expect(uploads()).toEqual([]);
});

test("red: no tag yet", async () => {
  expect(await release()).toMatchObject({
    status: EXIT.findings,
    stdout: expect.stringContaining(`the commit has no tag: git tag v${version}   (tag)\n`),
  });
});

test("red: no credentials", async () => {
  git("tag", `v${version}`);
  expect(await release()).toEqual({
    status: EXIT.findings,
    stdout: `${version}: 6 requirements met\n`,
    stderr:
      "nothing published: npm has no credentials; name this workflow as a trusted publisher on npm (permission id-token: write), or set NODE_AUTH_TOKEN, or run npm login\n",
  });
  expect(uploads()).toEqual([]);
});

test("red: another tarball than the rehearsal built", async () => {
  const whole = readFileSync(join(copy.root, tarball));
  writeFileSync(join(copy.root, tarball), whole.subarray(1));
  expect(await release()).toMatchObject({
    status: EXIT.findings,
    stderr: `out/release does not hold ${version} as it was built: npm run release:package -- --dry-run\n`,
  });
  writeFileSync(join(copy.root, tarball), whole);
});

test("the tarball is published as it was built, with the token", async () => {
  expect(await release(undefined, { NODE_AUTH_TOKEN: "of-the-test" })).toEqual({
    status: EXIT.ok,
    stdout: `${version}: 6 requirements met\npublished rollout-wire ${version} to npm\n`,
    stderr: "",
  });
  const [upload, ...others] = uploads();
  expect([upload?.token, others]).toEqual(["Bearer of-the-test", []]);
  expect(upload?.document).toMatchObject({
    access: "public",
    versions: { [version]: { bin: { "rollout-wire": "dist/bin/main.js" } } },
    _attachments: {
      [`rollout-wire-${version}.tgz`]: {
        data: readFileSync(join(copy.root, tarball)).toString("base64"),
      },
    },
  });
});

test("the workflow gives the packages, their hashes and the notes to the page of the release", () => {
  const yaml = readFileSync(join(REPO_ROOT, ".github/workflows/release.yml"), "utf8");
  const line = readCommandLines(yaml).find(({ script }) => script.startsWith("gh "));
  const env = { ...process.env, TAG: `v${version}`, REPOSITORY: "jane/rollout-wire" };
  // Not gh, which needs GitHub, but what bash would give it.
  const script = `gh() { printf '%s\\n' "$@"; }; ${line?.script}`;
  const said = execFileSync("bash", ["-c", script], { cwd: copy.root, env, encoding: "utf8" });
  expect(said.trimEnd().split("\n")).toEqual([
    ...["release", "create", `v${version}`, ...packages, sums],
    ...["--repo", "jane/rollout-wire", "--verify-tag", "--title", `rollout-wire v${version}`],
    ...["--notes-file", notes],
  ]);
});
