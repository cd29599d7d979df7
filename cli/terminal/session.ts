import { say, type Terminal } from "./terminal.ts";

/** The default output of a command's data. */
type Output = Terminal["stdout"];

/** Options change the terminal through this: they are read after a command got the terminal, and before it acts. */
export interface Session {
  readonly terminal: Terminal;
  /** Sets `stdout`. */
  useOutput(output: Output): void;
  /** Sets `env`. */
  useEnvironment(env: Terminal["env"]): void;
  /** Sets the bus, where no flag and no variable names one. */
  useBus(reach: () => Promise<string>): void;
  /** Makes the command explain its requests on stderr. */
  explainSteps(): void;
  /** Registers what has to be ended with the command. */
  atEnd(end: () => Promise<void> | void): void;
  /** Ends all of it, newest first; throws the first error after all have ended. */
  close(): Promise<void>;
}

/** Opens a session on the process's terminal. */
export function openSession(given: Terminal): Session {
  let output = given.stdout;
  let { env } = given;
  let isExplained = false;
  const warned = new Set<string>();
  let reach: (() => Promise<string>) | undefined;
  const ends: (() => Promise<void> | void)[] = [];
  return {
    terminal: {
      get stdin() {
        return given.stdin;
      },
      get stdout() {
        return output;
      },
      get env() {
        return env;
      },
      get reachBus() {
        return reach;
      },
      stderr: given.stderr,
      cwd: given.cwd,
      explain: (step) => {
        if (isExplained) say(given.stderr, `> ${step()}\n`);
      },
      warn: (line) => {
        if (!warned.has(line)) say(given.stderr, `! ${line}\n`);
        warned.add(line);
      },
      atEnd: (end) => void ends.push(end),
    },
    useOutput: (other) => (output = other),
    useEnvironment: (other) => (env = other),
    useBus: (way) => (reach = way),
    explainSteps: () => (isExplained = true),
    atEnd: (end) => void ends.push(end),
    async close() {
      const faults: unknown[] = [];
      for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
        try {
          await end();
        } catch (error) {
          faults.push(error);
        }
      }
      if (faults.length > 0) throw faults[0];
    },
  };
}
