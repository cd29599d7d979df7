import { connect } from "node:net";

export interface Greeting {
  readonly say: string;
  /** Text that the answer of a usable server contains. */
  readonly hear: string;
}

/** Time limit for the answer, ms. */
const limitMs = 500;

/** True when a usable server answers on this loopback port. */
export function sayHello(port: number, { say, hear }: Greeting): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    let heard = "";
    socket.on("data", (data) => {
      heard += data.toString();
      if (heard.includes(hear)) socket.destroy();
    });
    // A refused or reset connection is followed by "close".
    socket.on("error", () => undefined);
    socket.setTimeout(limitMs, () => socket.destroy());
    socket.on("close", () => resolve(heard.includes(hear)));
    socket.write(say);
  });
}
