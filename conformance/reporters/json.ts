import { escapeControls } from "../../src/records/escape-controls.js";
import type { Reporter } from "./reporter.js";

/** One object, for programs. */
export const json: Reporter = {
  id: "json",
  purpose: "one JSON object, for programs",
  print({ command, version, checked, findings, found, notListed }) {
    const report = {
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
    };
    // Escaping line by line keeps the layout; inside a string `\uXXXX` is the same character.
    const lines = JSON.stringify(report, null, 2).split("\n").map(escapeControls);
    return `${lines.join("\n")}\n`;
  },
};
