import type { Workshop } from "./workshop.js";

/** A way to go about the repair: a fixed script in place of a model. Gives the final answer. */
export interface Strategy {
  readonly id: string;
  readonly run: (workshop: Workshop) => Promise<string>;
}

/** Reads the program, finds nothing wrong with it, and does not look at the tests. */
const lookAndLeave: Strategy = {
  id: "look-and-leave",
  async run({ readProgram }) {
    await readProgram();
    return "I read parse-duration.mjs. It handles every unit, so nothing has to change.";
  },
};

/** Edits what it remembers to have seen; the tool refuses, and nobody catches that. */
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

/** Mends what the first failing test shows, and looks no further. */
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
