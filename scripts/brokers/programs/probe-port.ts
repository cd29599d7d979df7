import { connect } from "node:net";

export interface Probe {
  readonly send: string;
  /** Text that the answer of a usable server contains. */
  readonly answer: string;
}

/** Time limit for the answer, ms. */
const limitMs = 500;

/** True when a usable server answers on this loopback port. */
export function probePort(port: number, { send, answer }: Probe): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    let received = "";
    socket.on("data", (data) => {
      received += data.toString();
      if (received.includes(answer)) socket.destroy();
    });
    // A refused or reset connection is followed by "close".
    socket.on("error", () => undefined);
    socket.setTimeout(limitMs, () => socket.destroy());
    socket.on("close", () => resolve(received.includes(answer)));
    socket.write(send);
  });
}
