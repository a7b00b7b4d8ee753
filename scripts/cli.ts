import { escapeControls } from "../src/text.js";
import { EXIT } from "../src/user-error.js";

// The program never throws. What is thrown here is that it cannot be loaded: in a checkout, generated code
// can be missing or torn, and `check` is the one who has to say so.
try {
  await import("../src/cli/main.js");
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `rollout-wire does not start: ${escapeControls(reason)}  Mend:  npm run generate (or npm ci)\n`,
  );
  process.exitCode = EXIT.findings;
}
