import type { DriftReport } from "#generated/index.js";
import { toFindingReport } from "../../reporters/json.js";
import type { Report } from "../../reporters/reporter.js";
import type { DriftResult } from "./drift-result.js";

/** The object that `drift --format json` prints. */
export function toDriftReport({ copies }: DriftResult, report: Report): DriftReport {
  return {
    ...toFindingReport(report),
    copies: copies.map(({ repository, kind, schema, version, path, grade, is }) => ({
      repository,
      kind,
      schema,
      version,
      path,
      grade,
      ...(is !== undefined && { is }),
    })),
  };
}
