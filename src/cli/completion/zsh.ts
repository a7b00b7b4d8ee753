import { PROGRAM } from "../program.js";
import {
  type CompletedCommand,
  type CompletedOption,
  HELP_COMMAND,
  PROGRAM_OPTIONS,
} from "./words.js";

export function printZsh(commands: readonly CompletedCommand[]): string {
  const list = [...commands, HELP_COMMAND].map(
    ({ name, summary }) => `    ${quote(`${name}:${summary}`)}`,
  );
  const cases = commands.map(({ name, options, operands }) => {
    const first = operands.length > 0 ? [`1:argument:(${operands.join(" ")})`] : [];
    const specs = [...options.flatMap(toSpecs), ...first, "*:file:_files"];
    return `    ${name})
      _arguments -S ${specs.map((spec) => quote(spec)).join(" \\\n        ")}
      ;;`;
  });
  return `#compdef ${PROGRAM}
# zsh completion of ${PROGRAM}:  source <(${PROGRAM} completion zsh)
_rollout_wire() {
  local -a commands options
  commands=(
${list.join("\n")}
  )
  options=(${PROGRAM_OPTIONS.map(({ name, summary }) => quote(`${name}:${summary}`)).join(" ")})
  if ((CURRENT == 2)); then
    if [[ $PREFIX == -* ]]; then _describe option options; else _describe command commands; fi
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
  return names.map((name) => {
    if (value === undefined) return `*${name}[${text}]`;
    // Only a long name may have its value in the same word, as in --name=value.
    return `*${name}${name.startsWith("--") ? "=" : ""}[${text}]${toAction(value)}`;
  });
}

function toAction({ choices, isFile }: NonNullable<CompletedOption["value"]>): string {
  if (choices.length > 0) return `:value:(${choices.join(" ")})`;
  return isFile ? ":file:_files" : ":value: ";
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
