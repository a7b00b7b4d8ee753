import { toSafeJson } from "../../src/records/to-safe-json.js";
import type { Reporter } from "./reporter.js";

/** One object, for programs. */
export const json: Reporter = {
  id: "json",
  purpose: "one JSON object, for programs",
  print({ command, version, checked, findings, found, notListed }) {
    return toSafeJson({
      tool: "rollout-wire",
      version,
      command,
      checked,
      findings,
      summary: {
        errors: found.error,
        warnings: found.warning,
        not_listed: { errors: notListed.error, warnings: notListed.warning },
      },
    });
  },
};
