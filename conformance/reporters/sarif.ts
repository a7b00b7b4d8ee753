import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { Log, Result } from "sarif";
import type { Finding } from "../finding.js";
import type { Reporter } from "./reporter.js";

/** SARIF 2.1.0 (OASIS), as code-scanning services read it. */
export const sarif: Reporter = {
  id: "sarif",
  purpose: "SARIF 2.1.0, for code scanning",
  print({ command, version, checked, findings, found, notListed }) {
    const ruleIds = [...new Set(findings.map(({ id }) => id))];
    const log: Log = {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: { name: "rollout-wire", version, rules: ruleIds.map((id) => ({ id })) },
          },
          invocations: [{ executionSuccessful: true, commandLine: `rollout-wire ${command}` }],
          results: findings.map((finding) => toResult(finding, ruleIds)),
          properties: { checked, found, notListed },
        },
      ],
    };
    return `${JSON.stringify(log, undefined, 2)}\n`;
  },
};

function toResult(finding: Finding, ruleIds: readonly string[]): Result {
  const { id, severity, file, line, column, pointer, message } = finding;
  return {
    ruleId: id,
    ruleIndex: ruleIds.indexOf(id),
    level: severity,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(file) },
          region: { startLine: line, startColumn: column },
        },
        logicalLocations: [{ fullyQualifiedName: pointer, kind: "value" }],
      },
    ],
    partialFingerprints: { "finding/v1": fingerprint(finding) },
  };
}

/** Relative paths stay relative, so that the service finds them in its checkout. */
function toUri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(/[\\/]/).map(encodeURIComponent).join("/");
}

/** Over what is wrong and where, not over the words: a reworded message is the same finding. */
function fingerprint({ id, file, line, pointer }: Finding): string {
  return createHash("sha256")
    .update(JSON.stringify([id, file, line, pointer]))
    .digest("hex");
}
