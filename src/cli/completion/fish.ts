import { PROGRAM } from "../program.js";
import type { CompletedCommand, CompletedOption } from "./words.js";

export function printFish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, options, operands }) => {
    const isUsed = `-n ${quote(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c ${PROGRAM} -f -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
      ...(operands.length > 0
        ? [`complete -c ${PROGRAM} -f ${isUsed} -a ${quote(operands.join(" "))}`]
        : []),
      ...options.map((option) => `complete -c ${PROGRAM} ${isUsed} ${toFlags(option)}`),
    ];
  });
  return [
    `# fish completion of ${PROGRAM}:  ${PROGRAM} completion fish | source`,
    ...lines,
    "",
  ].join("\n");
}

function toFlags({ names, description, value }: CompletedOption): string {
  const flags = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  return [...flags, ...toValue(value), `-d ${quote(description)}`].join(" ");
}

/** `-r`: a value, which may be a file; `-x`: a value that is none. */
function toValue(value: CompletedOption["value"]): string[] {
  if (value === undefined) return [];
  if (value.choices.length > 0) return ["-x", `-a ${quote(value.choices.join(" "))}`];
  return [value.isFile ? "-r" : "-x"];
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
