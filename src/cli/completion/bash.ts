import { PROGRAM } from "../program.js";
import { type CompletedCommand, HELP_COMMAND, PROGRAM_OPTIONS } from "./words.js";

/** A script that also works in bash 3.2, the one of macOS. Where it offers nothing, bash offers files. */
export function printBash(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name);
  const more = [HELP_COMMAND, ...PROGRAM_OPTIONS];
  const cases = commands.flatMap(({ name, options, operands }) => [
    ...options
      .filter(({ value }) => value !== undefined)
      .map(({ names, value }) => {
        const patterns = names.map((each) => `${name}:${each}`).join("|");
        return `      ${patterns}) words=${quote(value?.choices ?? [])} ;;`;
      }),
    `      ${name}:*)`,
    ...(operands.length > 0 ? [`        ((COMP_CWORD == 2)) && words=${quote(operands)}`] : []),
    `        [[ $current == -* ]] && words=${quote(options.flatMap((option) => option.names))}`,
    "        ;;",
  ]);
  return `# bash completion of ${PROGRAM}:  source <(${PROGRAM} completion bash)
_rollout_wire() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=$((COMP_CWORD - 1)) words= key= word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    # After it, all words are operands.
    [[ $word == -- ]] && return
  done
  # Bash splits --name=value and --name key=value at the equals signs.
  if [[ $current == = ]]; then
    current=
  elif [[ \${COMP_WORDS[before]} == = ]]; then
    ((before--))
  fi
  if [[ \${COMP_WORDS[before + 1]} == = && \${COMP_WORDS[before]} != -* ]]; then
    key=\${COMP_WORDS[before]}=
    ((before--))
  fi
  [[ \${COMP_WORDS[before]} == = ]] && ((before--))
  local previous=\${COMP_WORDS[before]}
  if ((COMP_CWORD == 1)); then
    words=${quote([...names, ...more.map(({ name }) => name)])}
  else
    case \${COMP_WORDS[1]}:$previous in
      help:*) words=${quote(names)} ;;
${cases.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$key$current"))
  COMPREPLY=("\${COMPREPLY[@]#"$key"}")
}
complete -o default -F _rollout_wire ${PROGRAM}
`;
}

function quote(words: readonly string[]): string {
  return `'${words.join(" ")}'`;
}
