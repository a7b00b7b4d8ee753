import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type DriftReport, isDriftReport } from "#generated/index.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const toSchema = (id: string, properties: Record<string, unknown>) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: `https://protocol.example/schemas/${id}`,
  title: id,
  type: "object",
  properties,
  required: Object.keys(properties),
});

const EVENT = toSchema("event", { actor: { type: "string" } });
const REGISTRY = {
  schemas: [
    {
      id: "event",
      path: "schemas/event.schema.json",
      canonical_id: EVENT.$id,
      version: "event/v1.0.0",
      owners: ["protocol"],
    },
  ],
};
const COPY = {
  kind: "schema",
  schema: "event",
  version: "1.0.0",
  source: "schemas/event.schema.json",
  path: "event.json",
} as const;
const WIRE = {
  kind: "schema",
  schema: "rollout-wire",
  version: "1.1.1",
  source: "schema/rollout-wire.schema.json",
  path: "wire.json",
} as const;
const FIXTURE = { schema: "rollout-wire", version: "1.1.1", path: "records.jsonl" };

function write(path: string, content: unknown): void {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 1));
}

function configure(repository: string, rest: Record<string, unknown>): void {
  const config = { config_version: "config/v1", repository, artefacts: [], ...rest };
  write(`${repository}/rollout-wire.config.json`, config);
}

beforeEach(() => {
  for (const name of ["protocol", "consumer"]) {
    rmSync(join(folder.path, name), { recursive: true, force: true });
  }
  write("protocol/schemas/index.json", REGISTRY);
  write("protocol/schemas/event.schema.json", EVENT);
  configure("protocol", { registry: "schemas/index.json" });
});

const runAsOwner = (...argv: string[]) => folder.run(argv, { cwd: join(folder.path, "protocol") });

async function drift(): Promise<{ exitCode: number; found: string[]; report: DriftReport }> {
  const argv = ["drift", "--repo", "consumer=../consumer", "--format", "json"];
  const { exitCode, stdout, stderr } = await runAsOwner(...argv);
  const report: unknown = JSON.parse(stdout);
  if (!isDriftReport(report)) throw new Error(stderr);
  return { exitCode, report, found: report.findings.map(({ id, pointer }) => `${id} ${pointer}`) };
}

describe("the owner of a registry, about a consumer that means another one", () => {
  test("without a registry, that is rollout-wire's: its entries are named and counted, not judged", async () => {
    configure("consumer", { artefacts: [WIRE, COPY], fixtures: [FIXTURE] });
    write("consumer/event.json", EVENT);
    write("consumer/wire.json", "{");
    const { exitCode, report, found } = await drift();
    expect(report.findings).toMatchObject([
      {
        id: "other-registry",
        severity: "warning",
        pointer: "/artefacts/0",
        message:
          "lists 2 files of schemas of another registry than that of protocol: rollout-wire; they were not examined here: run drift in that repository",
      },
    ]);
    expect([exitCode, found.length]).toEqual([EXIT.ok, 1]);
    expect(report.copies).toMatchObject([{ path: "event.json", grade: "identical" }]);
    const { stderr } = await runAsOwner("drift", "--repo", "consumer=../consumer");
    expect(stderr).toContain("2 files of other registries not examined");
  });

  test("its own entries are still judged, beside those of others", async () => {
    configure("consumer", { artefacts: [WIRE, COPY] });
    write("consumer/event.json", toSchema("event", { actor: { type: "number" } }));
    const { exitCode, found } = await drift();
    expect([exitCode, found]).toEqual([
      EXIT.findings,
      [expect.stringContaining("breaking /"), "other-registry /artefacts/0"],
    ]);
    configure("consumer", { artefacts: [{ ...COPY, version: "9.0.0" }] });
    expect((await drift()).found).toEqual(["config /artefacts/0/version"]);
  });

  test("a name that no registry has is named with the nearest", async () => {
    configure("consumer", { artefacts: [{ ...COPY, schema: "evnt" }] });
    const { report } = await drift();
    expect(report.findings[0]?.message).toContain(": evnt (did you mean event?); they were not");
  });

  test("a run that could judge nothing is red", async () => {
    configure("consumer", { artefacts: [WIRE], fixtures: [FIXTURE] });
    const { exitCode, found } = await drift();
    expect([exitCode, found]).toEqual([
      EXIT.findings,
      ["other-registry /artefacts/0", "nothing-checked "],
    ]);
  });

  test("another owner's registry with the same name is not its own; a copy of its own is", async () => {
    configure("consumer", { registry: "other/schemas/index.json", artefacts: [COPY] });
    write("consumer/event.json", EVENT);
    // It cannot be read here.
    expect((await drift()).found).toContain("other-registry /artefacts/0");
    write("consumer/other/schemas/event.schema.json", { ...EVENT, $id: "urn:other:event" });
    const { canonical_id: _, ...entry } = REGISTRY.schemas[0] ?? {};
    write("consumer/other/schemas/index.json", { schemas: [entry] });
    expect((await drift()).found).toContain("other-registry /artefacts/0");
    write("consumer/other/schemas/event.schema.json", EVENT);
    const { found, report } = await drift();
    expect(found).not.toContain("other-registry /artefacts/0");
    expect(report.copies).toMatchObject([{ path: "event.json", grade: "identical" }]);
  });

  test("its baseline is not called stale, and its lock is not written", async () => {
    const entry = { id: "breaking", file: "wire.json", reason: "x", expires: "2999-01-01" };
    configure("consumer", { artefacts: [WIRE, COPY], baseline: [entry] });
    write("consumer/event.json", EVENT);
    expect((await drift()).found).toEqual(["other-registry /artefacts/0"]);
    const synced = await runAsOwner("sync", "--repo", "consumer=../consumer");
    expect([synced.exitCode, synced.stdout]).toEqual([EXIT.unreadable, ""]);
    expect(synced.stderr).toContain(
      "lists wire.json of rollout-wire, which is of another registry than that of protocol, and a lock has one source",
    );
  });
});
