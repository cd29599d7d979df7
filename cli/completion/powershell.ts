import type { CommandShape, OptionShape } from "./shape.ts";

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function list(words: readonly string[]): string {
  return `@(${words.map(quote).join(", ")})`;
}

function writeValues(options: readonly OptionShape[]): string {
  const entries = options.flatMap(({ flags, choices }) =>
    choices.length === 0 ? [] : flags.map((flag) => `${quote(flag)} = ${list(choices)}`),
  );
  return `@{ ${entries.join("; ")} }`;
}

function writeCommand({ name, options, words }: CommandShape): string {
  const flags = options.flatMap((option) => option.flags);
  return `    ${quote(name)} = @{ words = ${list([...words, ...flags])}; values = ${writeValues(options)} }`;
}

/** For PowerShell 5.1 and newer. */
export function writePowershell(commands: readonly CommandShape[], program: string): string {
  return `# Completion of meshroll for PowerShell. Now:  meshroll completion powershell | Out-String | Invoke-Expression
# For good: add that line to $PROFILE
Register-ArgumentCompleter -Native -CommandName ${program} -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $table = @{
${commands.map(writeCommand).join("\n")}
  }
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $command = $typed | Where-Object { -not $_.StartsWith('-') } | Select-Object -First 1
  $isFirst = $null -eq $command -or -not $table.ContainsKey($command)
  $previous = if ($wordToComplete) { $typed | Select-Object -Last 2 | Select-Object -First 1 } else { $typed | Select-Object -Last 1 }
  $words = if ($isFirst) { $table.Keys | Sort-Object }
    elseif ($previous -and $table[$command].values.ContainsKey($previous)) { $table[$command].values[$previous] }
    else { $table[$command].words }
  $words | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
