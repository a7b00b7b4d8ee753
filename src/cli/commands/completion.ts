import { previewValue, suggestName } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import type { Command } from "../command.js";
import { printBash } from "../completion/bash.js";
import { printFish } from "../completion/fish.js";
import { type CompletedCommand, toCompleted } from "../completion/words.js";
import { printZsh } from "../completion/zsh.js";
import { outlineOf } from "./outlines.js";

/** The printer of each shell. */
const SHELLS: ReadonlyMap<string, (commands: readonly CompletedCommand[]) => string> = new Map([
  ["bash", printBash],
  ["zsh", printZsh],
  ["fish", printFish],
]);

/**
 * Prints a completion script for a shell. It names all commands, which `loadCommands` loads, with their options, so that
 * a TAB starts no process.
 */
export function createCompletion(loadCommands: () => Promise<readonly Command[]>): Command {
  return {
    ...outlineOf("completion"),
    options: [],
    examples: [
      "completion bash > ~/.local/share/bash-completion/completions/rollout-wire",
      "completion zsh > ~/.zfunc/_rollout-wire",
      "completion fish > ~/.config/fish/completions/rollout-wire.fish",
    ],
    async run({ operands: [shell = ""] }, { stdout }) {
      const print = SHELLS.get(shell);
      if (print === undefined) throw unknownShell(shell);
      stdout.write(print((await loadCommands()).map(toCompleted)));
      return EXIT.ok;
    },
  };
}

function unknownShell(shell: string): UserError {
  const shells = [...SHELLS.keys()];
  return new UserError(
    `completion ${previewValue(shell)}: there is no such script${suggestName(shell, shells)}`,
    EXIT.usage,
  );
}
