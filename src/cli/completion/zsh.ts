import { PROGRAM } from "../program.js";
import type { CompletedCommand, CompletedOption } from "./words.js";

export function printZsh(commands: readonly CompletedCommand[]): string {
  const list = [...commands, { name: "help", summary: "display help for command" }].map(
    ({ name, summary }) => `    ${quote(`${name}:${summary}`)}`,
  );
  const cases = commands.map(({ name, options, operands }) => {
    const rest = operands.length > 0 ? `(${operands.join(" ")})` : "_files";
    const specs = [...options.flatMap(toSpecs), `*:argument:${rest}`];
    return `    ${name})
      _arguments -S ${specs.map((spec) => quote(spec)).join(" \\\n        ")}
      ;;`;
  });
  return `#compdef ${PROGRAM}
# zsh completion of ${PROGRAM}:  source <(${PROGRAM} completion zsh)
_rollout_wire() {
  local -a commands
  commands=(
${list.join("\n")}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
    help) _describe command commands ;;
${cases.join("\n")}
  esac
}
if [[ $zsh_eval_context == *func ]]; then
  _rollout_wire "$@"
else
  compdef _rollout_wire ${PROGRAM}
fi
`;
}

/** See "SPECS: OVERVIEW" of `_arguments` in zshcompsys(1). An option may be given more than once. */
function toSpecs({ names, description, value }: CompletedOption): string[] {
  const text = description.replaceAll(/[\\[\]:]/g, "\\$&");
  return names.map((name) => `*${name}[${text}]${value === undefined ? "" : toAction(value)}`);
}

function toAction({ choices, isFile }: NonNullable<CompletedOption["value"]>): string {
  if (choices.length > 0) return `:value:(${choices.join(" ")})`;
  return isFile ? ":file:_files" : ":value: ";
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
