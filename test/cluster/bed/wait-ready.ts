import { request } from "node:https";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import type { Certificates } from "./certificates.ts";

/** Status code of the answer; undefined when there is none. */
async function ask(url: string, certificates: Certificates): Promise<number | undefined> {
  const { cert, key } = certificates.of("admin");
  const login = { ca: readFileSync(certificates.authority), cert: readFileSync(cert), key: readFileSync(key) };
  // Controllers and scheduler serve self-signed certificates on loopback.
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve) => {
    const sent = request({ hostname, port, path: pathname, ...login, rejectUnauthorized: false, timeout: 2000 });
    sent.on("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on("timeout", () => sent.destroy());
    sent.on("error", () => resolve(undefined));
    sent.end();
  });
}

/** Waits until the server is ready. Throws when its process has ended, or after two minutes. */
export async function untilReady(
  name: string,
  url: string,
  certificates: Certificates,
  hasEnded: () => boolean,
): Promise<void> {
  const end = Date.now() + 120_000;
  while ((await ask(url, certificates)) !== 200) {
    if (hasEnded()) throw new Error(`${name} ended while it started`);
    if (Date.now() > end) throw new Error(`${name} was not ready within two minutes`);
    await sleep(50);
  }
}
