import type { CommandShape, OptionShape } from "./shape.ts";

function offer(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$cur"))`;
}

function writeValue({ flags, choices }: OptionShape): string {
  const values = choices.length > 0 ? offer(choices) : 'COMPREPLY=($(compgen -f -- "$cur"))';
  return `        ${flags.join(" | ")}) ${values}; return ;;`;
}

function writeCommand({ name, options, words, files }: CommandShape): string {
  const valued = options.filter(({ takesValue }) => takesValue);
  const flags = options.flatMap((option) => option.flags);
  const rest = words.length > 0 ? `      ${offer(words)}` : files ? '      COMPREPLY=($(compgen -f -- "$cur"))' : "";
  return [
    `    ${name})`,
    ...(valued.length > 0 ? ['      case "$prev" in', ...valued.map(writeValue), "      esac"] : []),
    `      if [[ "$cur" == -* ]]; then ${offer(flags)}; return; fi`,
    ...(rest === "" ? [] : [rest]),
    "      ;;",
  ].join("\n");
}

/** For bash 3.2 and newer; needs no `bash-completion` package. */
export function writeBash(commands: readonly CommandShape[]): string {
  return `# Completion of meshroll for bash. Now:  source <(meshroll completion bash)
# For good:  meshroll completion bash > ~/.local/share/bash-completion/completions/meshroll
_meshroll() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ "\${COMP_WORDS[i]}" != -* ]]; then command="\${COMP_WORDS[i]}"; break; fi
  done
  if [[ -z "$command" ]]; then
    ${offer([...commands.map(({ name }) => name), "--help", "--version"])}
    return
  fi
  case "$command" in
${commands.map(writeCommand).join("\n")}
  esac
}
complete -F _meshroll meshroll
`;
}
