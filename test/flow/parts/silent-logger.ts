import type { Logger } from "#libs/runtime";

/** A log that keeps only what must not be lost: errors, for the test that failed. */
export function createSilentLogger(errors: string[] = []): Logger {
  const drop = (): void => undefined;
  const keep = (fields: object | string, message = ""): void => {
    const error = typeof fields === "object" && "error" in fields ? fields.error : undefined;
    errors.push(`${message} ${error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(fields)}`);
  };
  return { debug: drop, info: drop, warn: drop, error: keep, fatal: keep, child: () => createSilentLogger(errors) };
}
