import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { toUSVString } from "node:util";
import type { Log, Notification, ReportingDescriptor, Result } from "sarif";
import type { Finding } from "../findings/finding.js";
import type { Report } from "../findings/report.js";
import { toSafeJson } from "../json/print.js";
import { formatCount } from "../text.js";
import type { DescribeRule, Reporter, RuleText } from "./reporter.js";

/** SARIF 2.1.0 (OASIS), as read by code-scanning services. */
export const sarif: Reporter = {
  id: "sarif",
  purpose: "SARIF 2.1.0, for code scanning",
  print(report, { describeRule = toExample, repository }) {
    const { command, version, checked, checks, found, notListed, failure } = report;
    // A failure is not a result, because it belongs to no file.
    const findings = failure === undefined ? report.findings : [];
    // As they were in this version.
    const pages = repository && `${repository}/blob/v${version}`;
    const rules = toRules({ findings, ...(checks && { checks }) }, { describeRule, pages });
    const informationUri = pages && `${pages}/README.md`;
    const ruleIds = rules.map(({ id }) => id);
    const toFingerprint = createFingerprinter();
    const log: Log = {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: {
              name: "rollout-wire",
              version,
              rules,
              ...(informationUri && { informationUri }),
            },
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

interface RuleStyle {
  readonly describeRule: DescribeRule;
  /** The address that the paths of pages follow. */
  readonly pages: string | undefined;
}

/** Each id once; in a conformance run with the fix of the first check that reports it. */
function toRules(
  { findings, checks = [] }: Pick<Report, "findings" | "checks">,
  { describeRule, pages }: RuleStyle,
): ReportingDescriptor[] {
  const firsts = new Map<string, Finding>();
  for (const finding of findings) if (!firsts.has(finding.id)) firsts.set(finding.id, finding);
  return [...firsts.values()].map((first) => {
    const check = checks.find(({ id }) => id === first.check);
    const text: RuleText = check ? { short: check.purpose, help: check.fix } : describeRule(first);
    const { short, help, markdown = help, page } = text;
    return {
      id: first.id,
      shortDescription: { text: short },
      help: { text: help, markdown },
      ...(pages !== undefined && page !== undefined && { helpUri: `${pages}/${page}` }),
    };
  });
}

/** What is known of every finding. */
function toExample({ id, message }: Finding): RuleText {
  return { short: `A finding of the kind ${id}.`, help: `For example: ${message}.` };
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
