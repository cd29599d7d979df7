import type { Logger } from "#libs/runtime";

/** Logs nothing but errors, which a failed test prints. */
export function createSilentLogger(errors: string[] = []): Logger {
  const drop = (): void => undefined;
  const keep = (fields: object | string, message = ""): void => {
    const error = typeof fields === "object" && "error" in fields ? fields.error : undefined;
    errors.push(`${message} ${error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(fields)}`);
  };
  return { debug: drop, info: drop, warn: drop, error: keep, fatal: keep, child: () => createSilentLogger(errors) };
}
