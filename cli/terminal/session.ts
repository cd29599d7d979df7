import { say, type Terminal } from "./terminal.ts";

/** Where the data of a command goes, until it is told to go elsewhere. */
type Output = Terminal["stdout"];

/** What the flags of a command line change of its terminal: they are read after a command got it, and before it acts. */
export interface Session {
  readonly terminal: Terminal;
  /** From now on `stdout` is this. */
  useOutput(output: Output): void;
  /** From now on `env` is this. */
  useEnvironment(env: Terminal["env"]): void;
  /** The bus is behind this, where no flag and no variable names one. */
  useBus(reach: () => Promise<string>): void;
  /** From now on the command says on stderr what it asks of whom. */
  explainSteps(): void;
  /** What has to be ended when the command is. */
  atEnd(end: () => Promise<void> | void): void;
  /** Ends all of it, the newest first; throws the first fault when all has ended. */
  close(): Promise<void>;
}

/** Opens a session on the terminal of the process. */
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
