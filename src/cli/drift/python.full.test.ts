import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Config, isDriftReport, type Lock } from "#generated/index.js";
import { DEV_TOOLS, ensurePythonEnv } from "../../../conformance/python-env.js";
import { sha256 } from "../../base/files/hash.js";
import { packageRoot } from "../../base/package.js";
import { createTestFolder, type Transcript } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { isBehind } from "../../contract/drift/testing/pins.js";

const SCHEMA = "src/datafactory/rollout-wire.schema.json";
const CODE = "src/rollout_wire/training_record.py";
const LOCK = "rollout-wire.lock.json";
const CONFIG = "rollout-wire.config.json";

const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
const folder = createTestFolder();
afterAll(() => folder.remove());

const [synced, repo] = ["synced", "repo"].map((name) => join(folder.path, name));

/** The repository that reads records in Python, as registered. */
beforeAll(async () => {
  mkdirSync(synced ?? "");
  const { exitCode, stderr } = await folder.run(["sync", "--repo", "trace-pipeline=synced"]);
  expect([exitCode, stderr]).toEqual([EXIT.ok, expect.any(String)]);
});

beforeEach(() => {
  rmSync(at(""), { recursive: true, force: true });
  cpSync(synced ?? "", at(""), { recursive: true });
});

function at(path: string): string {
  return join(repo ?? "", path);
}

function read(path: string): string {
  return readFileSync(at(path), "utf8");
}

function write(path: string, content: string | Buffer | object): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  const isText = typeof content === "string" || Buffer.isBuffer(content);
  writeFileSync(at(path), isText ? content : `${JSON.stringify(content, null, 2)}\n`);
}

function edit(path: string, change: (text: string) => string): void {
  const text = read(path);
  if (change(text) === text) throw new Error(`the change of ${path} changes nothing`);
  write(path, change(text));
}

function editLock(change: (lock: Lock) => object): void {
  edit(LOCK, (text) => `${JSON.stringify(change(JSON.parse(text) as Lock), null, 2)}\n`);
}

function replace(from: string | RegExp, to: string): (text: string) => string {
  return (text) => text.replace(from, to);
}

/** One process of Python for all tests, because starting it takes longer than a check. */
const server = spawn(python, [join(packageRoot(), "conformance/python/drift_server.py")], {
  env: { PYTHONPATH: join(packageRoot(), "generated/python"), PYTHONDONTWRITEBYTECODE: "1" },
  stdio: ["pipe", "pipe", "inherit"],
});
const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
afterAll(() => {
  server.kill();
});

async function driftInPython(argv: readonly string[]): Promise<Transcript> {
  server.stdin.write(`${JSON.stringify({ cwd: at(""), argv: ["drift", ...argv] })}\n`);
  const { value }: { value?: string } = await answers.next();
  return JSON.parse(value ?? "null");
}

/** The exit code and the report of both programs. */
async function driftInBoth(...args: string[]) {
  const argv = [...args, "--format", "json"];
  const theirs = await folder.run(["drift", ...argv], { cwd: at("") });
  const ours = await driftInPython(argv);
  return [ours, theirs].map(({ exitCode, stdout, stderr }) => {
    const report: unknown = JSON.parse(stdout === "" ? "null" : stdout);
    if (!isDriftReport(report)) throw new Error(stderr);
    return { exitCode, report };
  });
}

const config = (change: Partial<Config> = {}): Config => ({
  config_version: "config/v1",
  repository: "trace-pipeline",
  artefacts: [
    {
      kind: "schema",
      schema: "rollout-wire",
      version: "1.1.0",
      source: "schema/rollout-wire.schema.json",
      path: SCHEMA,
    },
    {
      kind: "generated",
      schema: "rollout-wire",
      version: "1.1.0",
      source: "generated/python/rollout_wire",
      path: "src/rollout_wire",
    },
  ],
  ...change,
});

const known = (change: object = {}) => ({
  id: "documentation",
  file: SCHEMA,
  hash: sha256(readFileSync(at(SCHEMA))),
  reason: "ours",
  expires: "2999-12-31",
  ...change,
});

const describe_ = replace('"title": "', '"title": "The ');

// The Python package does not know the pins of repositories: while they are old, it names other versions than Node.
describe.skipIf(isBehind("trace-pipeline"))(
  "the same report as the program for Node, for every case that needs no solver",
  () => {
    test.each<[string, readonly string[], () => void]>([
      ["unchanged copies", [], () => {}],
      ["line ends of a schema", ["formatting"], () => edit(SCHEMA, replace(/\n/g, "\r\n"))],
      ["a byte-order mark", ["formatting"], () => edit(SCHEMA, (text) => `\ufeff${text}`)],
      ["another order of keys", ["formatting"], () => edit(SCHEMA, reorder)],
      ["line ends of code", ["formatting"], () => edit(CODE, replace(/\n/g, "\r\n"))],
      ["no final newline", ["formatting"], () => edit(CODE, (text) => text.trimEnd())],
      ["another description", ["documentation"], () => edit(SCHEMA, describe_)],
      ["other code", ["changed"], () => edit(CODE, (text) => `${text}# ours\n`)],
      ["binary code", ["changed"], () => write(CODE, Buffer.from([0, 255, 254]))],
      ["an empty copy of code", ["changed"], () => write(CODE, "")],
      ["an empty copy of a schema", ["unreadable"], () => write(SCHEMA, "")],
      ["a merge conflict", ["unreadable"], () => edit(SCHEMA, (text) => `${text}<<<<<<< HEAD\n`)],
      [
        "a merge conflict after a byte-order mark",
        ["unreadable"],
        () => edit(SCHEMA, (text) => `\ufeff${text}<<<<<<< HEAD\n`),
      ],
      ["a cut-off schema", ["unreadable"], () => edit(SCHEMA, (text) => text.slice(0, 9000))],
      [
        "a repeated key",
        ["unreadable"],
        () => edit(SCHEMA, replace('"type":', '"type": 1, "type":')),
      ],
      [
        "a lone surrogate",
        ["unreadable"],
        () => edit(SCHEMA, replace('"title": "', '"title": "\\ud800')),
      ],
      ["a number beyond a double", ["unreadable"], () => edit(SCHEMA, replace(": 0", ": 1e999"))],
      [
        "bytes that are not UTF-8",
        ["unreadable"],
        () => write(SCHEMA, Buffer.concat([Buffer.from('{\n "é": "'), Buffer.from([0xc3, 0x28])])),
      ],
      ["deep nesting", ["unreadable"], () => write(SCHEMA, "[".repeat(300) + "]".repeat(300))],
      ["a missing schema", ["missing"], () => rmSync(at(SCHEMA))],
      ["a missing file of a folder", ["missing"], () => rmSync(at(CODE))],
      ["a missing folder", ["missing"], () => rmSync(at("src/rollout_wire"), { recursive: true })],
      [
        "nothing but the lock",
        ["missing", "missing"],
        () => rmSync(at("src"), { recursive: true }),
      ],
      ["a folder in place of a file", ["missing"], () => [rmSync(at(CODE)), mkdirSync(at(CODE))]],
      [
        "unexpected files, one below",
        ["unexpected", "unexpected"],
        () => [write("src/rollout_wire/own.py", ""), write("src/rollout_wire/a/b.py", "")],
      ],
      [
        "compiled files",
        [],
        () => write("src/rollout_wire/__pycache__/rollout_trace.cpython-310.pyc", ""),
      ],
      [
        "a link in a folder",
        [],
        () => symlinkSync("rollout_trace.py", at("src/rollout_wire/link.py")),
      ],
      [
        "a copy that is a link to the same bytes",
        [],
        () => [
          renameSync(at(CODE), at("elsewhere.py")),
          symlinkSync("../../elsewhere.py", at(CODE)),
        ],
      ],
      [
        "a copy that is a link to nothing",
        ["missing"],
        () => [rmSync(at(CODE)), symlinkSync("nowhere.py", at(CODE))],
      ],
      [
        "everything at once",
        ["documentation", "missing", "changed", "unexpected"],
        () => [
          edit(SCHEMA, describe_),
          edit(CODE, (text) => `${text}#`),
          rmSync(at("src/rollout_wire/rollout_trace.py")),
          write("src/rollout_wire/own.py", ""),
        ],
      ],
      [
        "a false hash in the lock",
        ["lock"],
        () => edit(LOCK, replace(/("contract": "contract1-sha256:).{8}/, "$100000000")),
      ],
      [
        "a lock that was rewritten for a false copy",
        ["formatting"],
        () => edit(LOCK, replace(/("bytes": "sha256:).{8}/, "$100000000")),
      ],
      [
        "a lock of another name",
        ["lock"],
        () => editLock((lock) => ({ ...lock, repository: "me" })),
      ],
      [
        "a file that the lock lacks",
        ["missing"],
        () => editLock(withoutEntry((path) => path.endsWith("rollout_trace.py"))),
      ],
      [
        "a schema that the lock lacks",
        ["missing"],
        () => editLock(withoutEntry((path) => path === SCHEMA)),
      ],
      [
        "a file that both lack",
        ["missing"],
        () => [editLock(withoutEntry((path) => path === CODE)), rmSync(at(CODE))],
      ],
      [
        "a schema of a version that was never published",
        ["changed"],
        () => [
          editLock((lock) => ({ ...lock, artefacts: lock.artefacts.map(withVersion("0.9.0")) })),
          edit(SCHEMA, replace('"minLength": 1', '"minLength": 2')),
        ],
      ],
    ])("%s", async (_, ids, change) => {
      change();
      const [ours, theirs] = await driftInBoth();
      expect(ours).toEqual(theirs);
      const found = ours?.report.findings.map(({ id }) => id) ?? [];
      expect(found.filter((id) => id !== "behind-latest")).toEqual(ids);
    });

    test.each<[string, string, () => void]>([
      ["cut off", "json", () => write(LOCK, '{"lock')],
      ["empty", "json", () => write(LOCK, "")],
      ["after a byte-order mark", "json", () => edit(LOCK, (text) => `\ufeff${text}`)],
      ["a list", "type", () => write(LOCK, "\n [1]")],
      ["a number", "type", () => write(LOCK, "  12.50")],
      ["not UTF-8", "json", () => write(LOCK, Buffer.from([0x7b, 0x0a, 0xff]))],
      ["a repeated key", "duplicate-key", () => edit(LOCK, replace('"path"', '"kind": 1, "path"'))],
      ["of another format", "lock", () => edit(LOCK, replace("lock/v1", "lock/v2"))],
      ["without a name", "lock", () => edit(LOCK, replace(/"repository": "trace.*\n/, ""))],
      ["with an empty name", "lock", () => edit(LOCK, replace("trace-pipeline", ""))],
      ["with a name for a shell", "lock", () => edit(LOCK, replace("trace-pipeline", "a; rm"))],
      ["with more fields", "lock", () => edit(LOCK, replace('"source"', '"it\'s": 1, "source"'))],
      ["without copies", "lock", () => editLock((lock) => ({ ...lock, artefacts: [] }))],
      ["with a wrong kind", "lock", () => edit(LOCK, replace('"kind": "schema"', '"kind": "s"'))],
      [
        "with a number for text",
        "lock",
        () => edit(LOCK, replace(/"tool_version": .*/, '"tool_version": 1.50,')),
      ],
      ["with a wrong hash", "lock", () => edit(LOCK, replace('"bytes": "sha256', '"bytes": "md5'))],
      [
        "with a null hash",
        "lock",
        () => edit(LOCK, replace(/"canonical": "[^"]*"/, '"canonical": null')),
      ],
      [
        "with a path outside",
        "lock",
        () => edit(LOCK, replace(`"${SCHEMA}"`, '"../../etc/passwd"')),
      ],
      ["with an absolute path", "lock", () => edit(LOCK, replace(`"${SCHEMA}"`, '"/etc/passwd"'))],
      ["with too few hashes", "lock", () => edit(LOCK, replace(/,\s*"canonical": "[^"]*"/, ""))],
      ["with a copy twice", "lock", () => editLock(withFirstTwice)],
    ])("an unreadable lock: %s", async (_, id, change) => {
      change();
      const [ours, theirs] = await driftInBoth();
      expect(ours).toEqual(theirs);
      expect([ours?.exitCode, ours?.report.findings.map((each) => each.id)]).toEqual([
        EXIT.unreadable,
        [id],
      ]);
    });

    test.each<[string, readonly string[], () => void]>([
      ["says the same as the registry", [], () => write(CONFIG, config())],
      [
        "lowers a severity",
        ["warning documentation"],
        () => [
          edit(SCHEMA, describe_),
          write(CONFIG, config({ severity: { documentation: "warning" } })),
        ],
      ],
      [
        "switches a finding off",
        [],
        () => [rmSync(at(CODE)), write(CONFIG, config({ severity: { missing: "off" } }))],
      ],
      [
        "accepts a difference",
        [],
        () => [edit(SCHEMA, describe_), write(CONFIG, config({ baseline: [known()] }))],
      ],
      [
        "accepts a missing file",
        [],
        () => [
          rmSync(at(CODE)),
          write(
            CONFIG,
            config({ baseline: [known({ id: "missing", file: CODE, hash: undefined })] }),
          ),
        ],
      ],
      [
        "accepted it until a day in the past",
        ["error documentation"],
        () => [
          edit(SCHEMA, describe_),
          write(CONFIG, config({ baseline: [known({ expires: "2020-01-31" })] })),
        ],
      ],
      [
        "accepted a file that changed since",
        ["error documentation"],
        () => [write(CONFIG, config({ baseline: [known()] })), edit(SCHEMA, describe_)],
      ],
      [
        "accepts what is no longer found",
        ["warning stale-baseline"],
        () => write(CONFIG, config({ baseline: [known()] })),
      ],
      [
        "accepts a break where there is none",
        ["warning stale-baseline"],
        () => write(CONFIG, config({ baseline: [known({ id: "breaking", pointer: "/$defs" })] })),
      ],
      [
        "lists another place",
        ["error missing", "error missing"],
        () => write(CONFIG, config({ artefacts: [{ ...firstArtefact(), path: "other.json" }] })),
      ],
      [
        "pins an older version than the lock",
        ["warning behind-latest"],
        () => [
          write(CONFIG, config({ artefacts: [{ ...firstArtefact(), version: "1.0.0" }] })),
          editLock((lock) => ({
            ...lock,
            artefacts: lock.artefacts.map(withVersion("1.0.0")).slice(0, 1),
          })),
        ],
      ],
      [
        "holds nothing",
        ["error nothing-checked"],
        () => [write(CONFIG, config({ artefacts: [] })), rmSync(at(LOCK))],
      ],
      [
        "silences copies that are not there",
        ["error nothing-checked"],
        () => [
          write(CONFIG, config({ severity: { missing: "off" } })),
          rmSync(at(LOCK)),
          rmSync(at("src"), { recursive: true }),
        ],
      ],
      [
        "comes before the first sync",
        ["error missing", "error missing"],
        () => [write(CONFIG, config()), rmSync(at(LOCK)), rmSync(at("src"), { recursive: true })],
      ],
      [
        "comes before the first sync, beside an identical schema",
        [],
        () => [
          write(CONFIG, config({ artefacts: [firstArtefact()] })),
          rmSync(at(LOCK)),
          rmSync(at("src/rollout_wire"), { recursive: true }),
        ],
      ],
    ])("a configuration that %s", async (_, found, change) => {
      change();
      const [ours, theirs] = await driftInBoth();
      // The program for Node searches the whole repository for other copies as well.
      const isShared = ({ id }: { id: string }): boolean =>
        !["unregistered", "replay"].includes(id);
      const comparable = [ours, theirs].map(
        (each) =>
          each && {
            exitCode: each.exitCode,
            copies: each.report.copies,
            findings: each.report.findings.filter(isShared),
          },
      );
      expect(comparable[0]).toEqual(comparable[1]);
      expect(comparable[0]?.findings.map(({ severity, id }) => `${severity} ${id}`)).toEqual(
        expect.arrayContaining([...found]),
      );
    });

    test.each<[string, object | string]>([
      ["cut off", '{"config_version"'],
      ["of another format", { ...config(), config_version: "config/v2" }],
      ["with an unknown field", { ...config(), artifacts: [] }],
      ["with an unknown grade", config({ severity: { braking: "off" } })],
      ["with an unknown severity", { ...config(), severity: { breaking: "fatal" } }],
      [
        "with an unknown schema",
        config({ artefacts: [{ ...firstArtefact(), schema: "rollout-wir" }] }),
      ],
      [
        "with another source",
        config({ artefacts: [{ ...firstArtefact(), source: "schema/x.json" }] }),
      ],
      [
        "with an unknown version",
        config({ artefacts: [{ ...firstArtefact(), version: "7.0.0" }] }),
      ],
      ["with a path twice", config({ artefacts: [firstArtefact(), firstArtefact()] })],
      [
        "that accepts an unknown finding",
        config({ baseline: [{ id: "lock", file: SCHEMA, reason: "x", expires: "2999-12-31" }] }),
      ],
      [
        "with no day",
        config({ baseline: [{ id: "missing", file: SCHEMA, reason: "x", expires: "soon" }] }),
      ],
    ])("an unreadable configuration: %s", async (_, content) => {
      write(CONFIG, content);
      const [ours, theirs] = await driftInBoth();
      expect(ours).toEqual(theirs);
      expect([ours?.exitCode, ours?.report.findings]).toMatchObject([EXIT.unreadable, [{}]]);
    });

    test("only the first 100 errors are listed, as a table too", async () => {
      for (let index = 0; index < 120; index += 1) write(`src/rollout_wire/own-${index}.py`, "");
      edit(SCHEMA, describe_);
      const [ours, theirs] = await driftInBoth();
      expect(ours).toEqual(theirs);
      expect(ours?.report.summary.not_listed.errors).toBe(21);
      const [text, theirText] = [
        await driftInPython([]),
        await folder.run(["drift"], { cwd: at("") }),
      ];
      expect(text.stdout).toBe(theirText.stdout);
      expect((await driftInPython(["--max-errors", "0"])).stdout).toContain(
        "... and 121 more errors",
      );
    });

    test("--latest", async () => {
      editLock((lock) => ({ ...lock, artefacts: lock.artefacts.map(withVersion("1.0.0")) }));
      const [ours, theirs] = await driftInBoth("--latest");
      expect(ours).toEqual(theirs);
      expect(ours?.exitCode).toBe(EXIT.findings);
      expect(ours?.report.findings.map(({ id }) => id)).toContain("behind-latest");
    });
  },
);

function firstArtefact(): Config["artefacts"][number] {
  const [first] = config().artefacts;
  if (first === undefined) throw new Error("the configuration lists nothing");
  return first;
}

function reorder(text: string): string {
  const entries = Object.entries(JSON.parse(text) as object);
  return JSON.stringify(Object.fromEntries(entries.reverse()), null, 4);
}

function withoutEntry(isOut: (path: string) => boolean): (lock: Lock) => Lock {
  return (lock) => ({ ...lock, artefacts: lock.artefacts.filter(({ path }) => !isOut(path)) });
}

function withVersion(version: string) {
  return (entry: Lock["artefacts"][number]): Lock["artefacts"][number] => ({ ...entry, version });
}

function withFirstTwice(lock: Lock): Lock {
  return { ...lock, artefacts: [...lock.artefacts.slice(0, 1), ...lock.artefacts] };
}
