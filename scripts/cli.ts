import { escapeControls } from "../src/base/text.js";
import { EXIT } from "../src/base/user-error.js";
import { runAsProgram, type Script } from "./run-script.js";

/**
 * Runs the program from its source. The program itself never throws, so an error here means that it cannot be
 * loaded. In a checkout, generated code may be missing or torn, and `check` must be able to report that.
 */
export const run: Script = async (argv, context) => {
  try {
    const program = await import("../src/cli/commands/index.js");
    // Commands load these only on demand: by then a torn file would look like a bug. What writes them loads none.
    if (argv[0] !== "generate") {
      await Promise.all([
        import("#generated/index.js"),
        import("#generated/features.js"),
        import("#generated/shapes.js"),
      ]);
    }
    return await program.run(argv, context);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.stderr.write(
      `rollout-wire does not start: ${escapeControls(reason)}  Fix:  npm run generate (or npm ci)\n`,
    );
    return EXIT.findings;
  }
};

await runAsProgram(import.meta.url, run);
