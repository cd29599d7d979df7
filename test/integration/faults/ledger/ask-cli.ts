import type { RealFleet } from "../../fleet/real-fleet.ts";

/** What a command line of a person did. */
export interface Answered {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the CLI as a person does, whatever its exit code is. */
export async function askCli(fleet: RealFleet, ...args: readonly string[]): Promise<Answered> {
  try {
    return { code: 0, stdout: await fleet.meshroll(...args), stderr: "" };
  } catch (error) {
    const { code, stdout, stderr } = error as Partial<Answered>;
    if (typeof code !== "number" || stdout === undefined || stderr === undefined) throw error;
    return { code, stdout, stderr };
  }
}
