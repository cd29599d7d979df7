import type { CommandShape, OptionShape } from "./shape.ts";

function offer(words: readonly string[]): string {
  return `_meshroll_offer "${words.join(" ")}"`;
}

const files = 'COMPREPLY=($(compgen -f -- "$cur"))';

function writeValue({ flags, choices, requests }: OptionShape): string {
  const values = choices.length > 0 ? offer(choices) : requests ? "_meshroll_ask" : files;
  return `        ${flags.join(" | ")}) ${values}; return ;;`;
}

function writeArguments({ name, words, files: takesFiles, requests }: CommandShape): readonly string[] {
  if (words.length > 0 && requests) {
    return [`      if [[ "$prev" == ${name} ]]; then ${offer(words)}; else _meshroll_ask; fi`];
  }
  if (words.length > 0) return [`      ${offer(words)}`];
  return requests ? ["      _meshroll_ask"] : takesFiles ? [`      ${files}`] : [];
}

function writeCommand(command: CommandShape): string {
  const { name, options } = command;
  const valued = options.filter(({ takesValue }) => takesValue);
  const flags = options.flatMap((option) => option.flags);
  return [
    `    ${name})`,
    ...(valued.length > 0 ? ['      case "$prev" in', ...valued.map(writeValue), "      esac"] : []),
    `      if [[ "$cur" == -* ]]; then ${offer(flags)}; return; fi`,
    ...writeArguments(command),
    "      ;;",
  ].join("\n");
}

/** For bash 3.2 and newer; needs no `bash-completion` package. */
export function writeBash(commands: readonly CommandShape[], name: string): string {
  return `# Completion of meshroll for bash. Now:  source <(meshroll completion bash)
# For good:  meshroll completion bash > ~/.local/share/bash-completion/completions/meshroll
_meshroll_offer() {
  local left="\${cur%"\${cur##*[=:]}"}"
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
  # bash breaks words at = and :, and wants only what is behind the last one.
  if [[ -n "$left" && \${#COMPREPLY[@]} -gt 0 ]]; then COMPREPLY=("\${COMPREPLY[@]#"$left"}"); fi
}
_meshroll_ask() {
  _meshroll_offer "$("\${words[0]}" __complete "\${words[@]:1}" 2>/dev/null)"
}
_meshroll() {
  local cur prev command="" i word glue=""
  local -a words
  COMPREPLY=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ i -gt 0 && ( -n "$glue" || "$word" == [=:]* ) ]]; then words[\${#words[@]}-1]+="$word"; else words+=("$word"); fi
    if [[ "$word" == *[=:] ]]; then glue=1; else glue=""; fi
  done
  cur="\${words[\${#words[@]}-1]}" prev="\${words[\${#words[@]}-2]}"
  for ((i = 1; i < \${#words[@]} - 1; i++)); do
    if [[ "\${words[i]}" != -* ]]; then command="\${words[i]}"; break; fi
  done
  if [[ -z "$command" ]]; then
    ${offer([...commands.map(({ name }) => name), "--help", "--version"])}
    return
  fi
  case "$command" in
${commands.map(writeCommand).join("\n")}
  esac
}
complete -F _meshroll ${name}
`;
}
