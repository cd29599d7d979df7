import type { CommandShape, OptionShape } from "./shape.ts";

/** Quoted for single quotes; brackets and colons separate the fields of `_arguments`. */
function quote(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/gu, String.raw`\$&`);
}

function writeOption({ flags, description, takesValue, choices, requests }: OptionShape): string {
  const value =
    choices.length > 0 ? `:value:(${choices.join(" ")})` : `:value:${requests ? "_meshroll_ask" : "_files"}`;
  const said = `[${quote(description)}]${takesValue ? value : ""}`;
  const [short, long] = flags;
  if (short === undefined || long === undefined) return `      '${flags[0] ?? ""}${said}'`;
  return `      '(${short} ${long})'{${short},${long}}'${said}'`;
}

function writeCommand({ name, options, words, files, requests }: CommandShape): string {
  const first = words.length > 0 ? [`      '1:word:(${words.join(" ")})'`] : [];
  const rest = [...first, ...(requests ? ["      '*:value:_meshroll_ask'"] : files ? ["      '*:file:_files'"] : [])];
  const lines = [...options.map(writeOption), ...rest];
  return `    ${name}) _arguments \\\n${lines.join(" \\\n")} ;;`;
}

/** For zsh with `compinit`. */
export function writeZsh(commands: readonly CommandShape[], program: string): string {
  const named = commands.map(({ name, summary }) => `    '${name}:${quote(summary)}'`);
  return `#compdef ${program}
# Completion of meshroll for zsh. Now:  source <(meshroll completion zsh)
# For good:  meshroll completion zsh > "\${fpath[1]}/_meshroll"
_meshroll_ask() {
  local -a values
  values=(\${(f)"$(${program} __complete "\${(@)words[1,CURRENT]}" 2>/dev/null)"})
  compadd -a values
}
_meshroll() {
  local -a commands
  commands=(
${named.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(writeCommand).join("\n")}
  esac
}
compdef _meshroll ${program}
`;
}
