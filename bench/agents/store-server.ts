import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** What the server answered since the last question. */
export interface Served {
  /** Paths, in order. */
  readonly paths: readonly string[];
  readonly bytes: number;
}

// A plain static web server for a store's folder, as a process: the first message is the folder, and is answered with the
// port; each later one is answered with what was served. `/ready` stands in for a proxy that is ready.
function serve(folder: string): void {
  let served: { paths: string[]; bytes: number } = { paths: [], bytes: 0 };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path === "/ready") return void response.end("ready");
    void readFile(join(folder, path)).then(
      (bytes) => {
        served.paths.push(path);
        served.bytes += bytes.byteLength;
        response.end(bytes);
      },
      () => {
        served.paths.push(path);
        response.writeHead(404, { "content-length": 0 }).end();
      },
    );
  });
  process.on("message", () => {
    process.send?.(served satisfies Served);
    served = { paths: [], bytes: 0 };
  });
  server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
    process.send?.((server.address() as AddressInfo).port);
  });
}

process.once("message", serve);
