import type { CommandShape, OptionShape } from "./shape.ts";

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function writeOption(
  program: string,
  command: string,
  { flags, description, takesValue, choices, requests }: OptionShape,
): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const asked = requests ? " -x -a '(__meshroll_ask)'" : takesValue ? " -r" : "";
  const value = choices.length > 0 ? ` -x -a ${quote(choices.join(" "))}` : asked;
  const when = quote(`__fish_seen_subcommand_from ${command}`);
  return `complete -c ${program} -n ${when} ${names.join(" ")}${value} -d ${quote(description)}`;
}

function writeCommand(
  program: string,
  { name, summary, options, words, files, requests }: CommandShape,
): readonly string[] {
  const seen = `__fish_seen_subcommand_from ${name}`;
  const when = quote(seen);
  const first = quote(requests ? `${seen}; and not __fish_seen_subcommand_from ${words.join(" ")}` : seen);
  const rest = [
    ...(words.length > 0 ? [`complete -c ${program} -n ${first} -f -a ${quote(words.join(" "))}`] : []),
    ...(requests ? [`complete -c ${program} -n ${when} -f -a '(__meshroll_ask)'`] : []),
  ];
  const paths = files ? [`complete -c ${program} -n ${when} -F`] : [];
  return [
    `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
    ...options.map((option) => writeOption(program, name, option)),
    ...rest,
    ...paths,
  ];
}

/** For fish 3 and newer. */
export function writeFish(commands: readonly CommandShape[], program: string): string {
  return `# Completion of meshroll for fish. Now:  meshroll completion fish | source
# For good:  meshroll completion fish > ~/.config/fish/completions/meshroll.fish
function __meshroll_ask
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  ${program} __complete $words[2..-1] "$typed" 2>/dev/null
end
complete -c ${program} -f
${commands.flatMap((command) => writeCommand(program, command)).join("\n")}
`;
}
