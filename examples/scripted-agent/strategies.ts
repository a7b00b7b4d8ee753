import type { Workshop } from "./workshop.js";

/** A repair strategy: a fixed script in place of a model. Returns the final answer. */
export interface Strategy {
  readonly id: string;
  readonly run: (workshop: Workshop) => Promise<string>;
}

/** Reads the program, finds nothing wrong, and does not run the tests. */
const lookAndLeave: Strategy = {
  id: "look-and-leave",
  async run({ readProgram }) {
    await readProgram();
    return "I read parse-duration.mjs. It handles every unit, so nothing has to change.";
  },
};

/** Edits code that is not in the file; the tool throws, and the strategy does not catch it. */
const editFromMemory: Strategy = {
  id: "edit-from-memory",
  async run({ editProgram }) {
    await editProgram("text.split(' ')", 'text.split(" ")');
    return "I fixed the splitting of the parts.";
  },
};

/** Finds the cause, fixes it, and runs the tests before and after. */
const mendTheCause: Strategy = {
  id: "fix-the-cause",
  async run({ readProgram, editProgram, runTests }) {
    await readProgram();
    await runTests();
    await editProgram(
      `  const part = /(\\d+)(m|s|h|ms)/.exec(text);
  if (part === null) throw new RangeError(\`no duration: \${text}\`);
  return Number(part[1]) * MILLISECONDS[part[2]];`,
      `  const parts = [...text.matchAll(/(\\d+)(ms|m|s|h)/g)];
  if (parts.length === 0) throw new RangeError(\`no duration: \${text}\`);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * MILLISECONDS[unit], 0);`,
    );
    const { status } = await runTests();
    return (
      "parseDuration took the m of ms for minutes, and read the first part alone. It now tries ms " +
      `first and adds up all parts. Its tests: ${status}.`
    );
  },
};

/** Fixes what the first failing test shows, and nothing else. */
const mendTheSymptom: Strategy = {
  id: "fix-the-symptom",
  async run({ runTests, editProgram }) {
    await runTests();
    await editProgram("(m|s|h|ms)", "(ms|m|s|h)");
    return "Milliseconds were read as minutes. I changed the order in the pattern, and all is well.";
  },
};

/** The strategy of each branch. */
export const strategies = [
  lookAndLeave,
  editFromMemory,
  mendTheCause,
  mendTheSymptom,
] as const satisfies Strategy[];
