import { EXIT } from "../../base/user-error.js";
import type { Command, LoadedCommand } from "../command.js";
import { printBash } from "../completion/bash.js";
import { printFish } from "../completion/fish.js";
import { type CompletedCommand, toCompleted } from "../completion/words.js";
import { printZsh } from "../completion/zsh.js";

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
export function createCompletion(loadCommands: () => Promise<readonly LoadedCommand[]>): {
  readonly command: Command;
} {
  const command: Command = {
    operandChoices: [...SHELLS.keys()],
    options: [],
    examples: [
      "completion bash > ~/.local/share/bash-completion/completions/rollout-wire",
      "completion zsh > ~/.zfunc/_rollout-wire",
      "completion fish > ~/.config/fish/completions/rollout-wire.fish",
    ],
    async run({ operands: [shell = ""] }, { stdout }) {
      stdout.write(SHELLS.get(shell)?.(toCompleted(await loadCommands())) ?? "");
      return EXIT.ok;
    },
  };
  return { command };
}
