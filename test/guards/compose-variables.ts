/** The lines of a .env file. */
export function parseEnvFile(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const),
  );
}

/** `${NAME:?…}` needs a value that is not empty; for `${NAME?…}` an empty one is enough. */
function fill(value: string | undefined, kind: string, rest: string): string | undefined {
  const isEmpty = (value ?? "") === "";
  if (kind === ":?") return isEmpty ? undefined : value;
  if (kind === "?") return value;
  if (kind === ":+") return isEmpty ? "" : rest;
  return isEmpty && kind === ":-" ? rest : (value ?? "");
}

/** A text of a Compose file with its variables filled in. */
export function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?:(:?[-+?])([^}]*))?\}/g, (_all, name: string, kind = "", rest = "") => {
    const value = fill(env[name], String(kind), String(rest));
    if (value === undefined) throw new Error(`${name} is not set`);
    return value;
  });
}
