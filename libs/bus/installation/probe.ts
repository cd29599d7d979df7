import { BusUnavailable } from "../errors.ts";
import { createLink } from "../connection/link.ts";

/** A NATS server's report about itself. */
export interface BusProbe {
  readonly version: string;
  readonly hasJetStream: boolean;
}

/** Reads from a server without changing anything. Throws `BusUnavailable`. */
export async function probeBus(url: string): Promise<BusProbe> {
  const link = createLink({ url, name: "meshroll-probe", onFault: () => undefined });
  try {
    const { nc } = await link.open(2_000);
    if (nc.info === undefined) throw new BusUnavailable(`NATS at ${link.address} did not say what it is`);
    return { version: nc.info.version, hasJetStream: nc.info.jetstream === true };
  } finally {
    await link.close();
  }
}
