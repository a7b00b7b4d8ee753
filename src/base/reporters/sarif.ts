import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { toUSVString } from "node:util";
import type { Log, Notification, ReportingDescriptor, Result } from "sarif";
import type { Finding } from "../findings/finding.js";
import type { Report } from "../findings/report.js";
import { toSafeJson } from "../json/print.js";
import { formatCount } from "../text.js";
import type { Reporter } from "./reporter.js";

/** SARIF 2.1.0 (OASIS), as read by code-scanning services. */
export const sarif: Reporter = {
  id: "sarif",
  purpose: "SARIF 2.1.0, for code scanning",
  print(report) {
    const { command, version, checked, checks, found, notListed, failure } = report;
    // A failure is not a result, because it belongs to no file.
    const findings = failure === undefined ? report.findings : [];
    const rules = toRules({ findings, ...(checks && { checks }) });
    const ruleIds = rules.map(({ id }) => id);
    const toFingerprint = createFingerprinter();
    const log: Log = {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: { name: "rollout-wire", version, rules },
          },
          invocations: [
            {
              executionSuccessful: failure === undefined,
              commandLine: `rollout-wire ${command}`,
              toolExecutionNotifications: toNotifications(report),
            },
          ],
          results: findings.map((finding) => toResult(finding, ruleIds, toFingerprint(finding))),
          properties: { checked, found, notListed, ...(checks && { checks }) },
        },
      ],
    };
    return toSafeJson(log);
  },
};

/** Each id once; in a conformance run with the fix of the first check that reports it. */
function toRules({
  findings,
  checks = [],
}: Pick<Report, "findings" | "checks">): ReportingDescriptor[] {
  const firsts = new Map(findings.toReversed().map((finding) => [finding.id, finding]));
  return [...new Set(findings.map(({ id }) => id))].map((id) => {
    const check = checks.find((each) => each.id === firsts.get(id)?.check);
    return check === undefined
      ? { id }
      : { id, shortDescription: { text: check.purpose }, help: { text: check.fix } };
  });
}

/** Reports unlisted results, because a service would treat missing results as fixed. */
function toNotifications({ notListed, failure }: Report): Notification[] {
  if (failure !== undefined) return [{ level: "error", message: { text: failure } }];
  const { error, warning } = notListed;
  if (error + warning === 0) return [];
  const rest = `${formatCount(error, "more error")} and ${formatCount(warning, "more warning")}`;
  return [
    { level: "warning", message: { text: `${rest} found: raise --max-errors to list them` } },
  ];
}

function toResult(finding: Finding, ruleIds: readonly string[], fingerprint: string): Result {
  const { id, severity, file, line, column, pointer, message, detail } = finding;
  return {
    ruleId: id,
    ruleIndex: ruleIds.indexOf(id),
    level: severity,
    message: { text: detail === undefined ? message : `${message}\n${detail}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(file) },
          region: { startLine: line, startColumn: column },
        },
        // Strict JSON readers reject the escape of a lone surrogate.
        logicalLocations: [{ fullyQualifiedName: toUSVString(pointer), kind: "value" }],
      },
    ],
    partialFingerprints: {
      "finding/v1": fingerprint,
      ...(finding.fingerprint !== undefined && { "change/v1": finding.fingerprint }),
    },
  };
}

/** Relative paths stay relative, so that the service can find them in its checkout. */
function toUri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  // encodeURIComponent throws on a lone surrogate.
  return toUSVString(file).split(/[\\/]/).map(encodeURIComponent).join("/");
}

/**
 * Returns a function that gives each finding of a run a unique fingerprint of its rule and position. The
 * message does not count, so a reworded message has the same fingerprint. Findings that are otherwise equal,
 * such as two missing fields of one record, are numbered: code scanning merges results with the same
 * fingerprint.
 */
function createFingerprinter(): (finding: Finding) => string {
  const counts = new Map<string, number>();
  return ({ id, file, line, pointer }) => {
    const place = JSON.stringify([id, file, line, pointer]);
    const ordinal = counts.get(place) ?? 0;
    counts.set(place, ordinal + 1);
    return createHash("sha256").update(`${place} ${ordinal}`).digest("hex");
  };
}
