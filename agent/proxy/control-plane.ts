import { connect } from "node:net";

const limitMs = 3_000;

/** Whether `host:port` accepts connections. Nothing is sent. */
export async function takesConnections(address: string): Promise<boolean> {
  const at = address.lastIndexOf(":");
  const host = address.slice(0, at).replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(address.slice(at + 1)), timeout: limitMs });
    const end = (answers: boolean) => {
      socket.destroy();
      resolve(answers);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}
