import type { CommandShape, OptionShape } from "./shape.ts";

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function writeOption(command: string, { flags, description, takesValue, choices }: OptionShape): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = choices.length > 0 ? ` -x -a ${quote(choices.join(" "))}` : takesValue ? " -r" : "";
  const when = quote(`__fish_seen_subcommand_from ${command}`);
  return `complete -c meshroll -n ${when} ${names.join(" ")}${value} -d ${quote(description)}`;
}

function writeCommand({ name, summary, options, words, files }: CommandShape): readonly string[] {
  const when = quote(`__fish_seen_subcommand_from ${name}`);
  const rest = words.length > 0 ? [`complete -c meshroll -n ${when} -f -a ${quote(words.join(" "))}`] : [];
  const paths = files ? [`complete -c meshroll -n ${when} -F`] : [];
  return [
    `complete -c meshroll -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
    ...options.map((option) => writeOption(name, option)),
    ...rest,
    ...paths,
  ];
}

/** For fish 3 and newer. */
export function writeFish(commands: readonly CommandShape[]): string {
  return `# Completion of meshroll for fish. Now:  meshroll completion fish | source
# For good:  meshroll completion fish > ~/.config/fish/completions/meshroll.fish
complete -c meshroll -f
${commands.flatMap(writeCommand).join("\n")}
`;
}
