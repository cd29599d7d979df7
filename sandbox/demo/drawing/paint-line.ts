const reset = "\u001B[0m";
const [red, green, bold, dim] = ["\u001B[31m", "\u001B[32m", "\u001B[1m", "\u001B[2m"];

/** A drawn line in colour; it takes the same columns. */
export function paintLine(line: string): string {
  if (line.includes("✖")) return `${red}${line}${reset}`;
  if (line.startsWith("▸") || line.startsWith("run ")) return `${bold}${line}${reset}`;
  if (line.startsWith("CLUSTER") || line.startsWith("Ctrl-C")) return `${dim}${line}${reset}`;
  return line.replace(/█+/, (bar) => `${green}${bar}${reset}`).replace(/░+/, (bar) => `${dim}${bar}${reset}`);
}
