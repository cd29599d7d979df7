import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { describeStore } from "../conformance.ts";
import { NotInStore, StoreUnavailable } from "../errors.ts";
import { openFileStore } from "./file-store.ts";
import { openHttpStore } from "./http-store.ts";
import { openStore } from "./open-store.ts";

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "meshroll-store-"));
}

async function serve(answer: RequestListener) {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

describeStore("a store that is a folder", async () => {
  const folder = makeFolder();
  return {
    store: openFileStore(folder),
    plant(path, bytes) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    },
    close: async () => rmSync(folder, { recursive: true }),
  };
});

/** Answers as web servers do, with or without ranges. */
function answerFrom(files: ReadonlyMap<string, Uint8Array>, hasRanges: boolean): RequestListener {
  return ({ url = "", headers }, response) => {
    const bytes = files.get(url);
    const [, start] = /^bytes=(\d+)-$/.exec(headers.range ?? "") ?? [];
    if (bytes === undefined) response.writeHead(404).end("no such file");
    else if (!hasRanges || start === undefined) response.end(bytes);
    else if (Number(start) >= bytes.byteLength) response.writeHead(416).end();
    else response.writeHead(206).end(bytes.subarray(Number(start)));
  };
}

for (const hasRanges of [true, false]) {
  describeStore(`a store behind a web server ${hasRanges ? "with" : "without"} ranges`, async () => {
    const files = new Map<string, Uint8Array>();
    const { url, close } = await serve(answerFrom(files, hasRanges));
    return {
      store: openHttpStore(`${url}/deep`),
      plant: (path, bytes) => void files.set(`/deep/${path}`, bytes),
      close,
    };
  });
}

describe("a store behind a web server", () => {
  async function open(answer: RequestListener, idleMs?: number, token?: () => string) {
    const { url, close } = await serve(answer);
    onTestFinished(close);
    return openHttpStore(url, {
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(token === undefined ? {} : { token }),
    });
  }

  it("sends the token of each moment as a bearer's, and says when it is refused", async () => {
    const tokens = ["first", "second", "wrong"];
    const sent: (string | undefined)[] = [];
    const store = await open(
      ({ headers }, response) => {
        sent.push(headers.authorization);
        response.writeHead(sent.length < 3 ? 200 : 401).end();
      },
      undefined,
      () => tokens[sent.length] ?? "",
    );
    await store.read("files/abc", 0);
    await store.read("files/abc", 0);
    await expect(store.read("files/abc", 0)).rejects.toThrow("answers 401 for files/abc, which refuses the token");
    expect(sent).toEqual(["Bearer first", "Bearer second", "Bearer wrong"]);
  });

  it.each([
    {
      name: "cannot be read",
      token: () => {
        throw new Error("EACCES: permission denied");
      },
      want: "EACCES",
    },
    { name: "is no header", token: () => "two\nlines", want: "Invalid character" },
  ])("is not asked while the token $name", async ({ token, want }) => {
    let asked = 0;
    const store = await open((_request, response) => void ((asked += 1), response.end()), undefined, token);
    await expect(store.read("files/abc", 0)).rejects.toThrow(want);
    await expect(store.read("files/abc", 0)).rejects.toThrow(StoreUnavailable);
    expect(asked).toBe(0);
  });

  it("says that a token is needed where it has none", async () => {
    const store = await open((_request, response) => response.writeHead(401).end());
    await expect(store.read("files/abc", 0)).rejects.toThrow("answers 401 for files/abc, which asks for a token");
  });

  it("takes no bytes that the server compressed: they are not the file's own", async () => {
    const store = await open((_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("x"));
    await expect(store.read("files/abc", 0)).rejects.toThrow("compressed (gzip)");
  });

  it("asks for what is missing and for what is there by one connection", async () => {
    const ports = new Set<number | undefined>();
    const store = await open(({ url, socket }, response) => {
      ports.add(socket.remotePort);
      if (url === "/metadata/2.root.json") response.writeHead(404, { "content-length": 4 }).end("none");
      else response.end("there");
    });
    await expect(store.read("metadata/2.root.json", 0)).rejects.toThrow(NotInStore);
    for await (const chunk of await store.read("metadata/timestamp.json", 0)) expect(chunk.byteLength).toBe(5);
    await store.read("metadata/timestamp.json", 0);
    expect(ports.size).toBe(1);
  });

  it("does not read a refusal without an end", async () => {
    let closed = false;
    const store = await open((_request, response) => {
      response.on("close", () => (closed = true));
      response.writeHead(404).write("x".repeat(100_000));
    });
    await expect(store.read("files/abc", 0)).rejects.toThrow(NotInStore);
    await expect.poll(() => closed).toBe(true);
  });

  it("does not follow a redirect", async () => {
    const store = await open((_request, response) =>
      response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    );
    await expect(store.read("files/abc", 0)).rejects.toThrow(StoreUnavailable);
  });

  it("names the status of a server that is down", async () => {
    const store = await open((_request, response) => response.writeHead(503).end());
    await expect(store.read("files/abc", 0)).rejects.toThrow("answers 503 for files/abc");
  });

  it("gives up when the server stops answering", async () => {
    const store = await open((_request, response) => void response.write("beginning"), 100);
    const read = async (): Promise<void> => {
      for await (const chunk of await store.read("files/abc", 0)) expect(chunk.byteLength).toBe(9);
    };
    await expect(read()).rejects.toThrow(StoreUnavailable);
  });

  it("gives up when the server sends only a byte now and then", async () => {
    const store = await open((_request, response) => {
      const timer = setInterval(() => void response.write("."), 20);
      response.on("close", () => clearInterval(timer));
    }, 200);
    const read = async (): Promise<void> => {
      for await (const chunk of await store.read("files/abc", 0)) expect(chunk.byteLength).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toThrow(/bytes came within 200 ms/);
  });

  it.each(["http://artifacts.example.com", "ftp://artifacts.example.com", "https://user:secret@artifacts.example.com"])(
    "is not reached by %s",
    (address) => {
      expect(() => openStore(address)).toThrow("by https://, without a login");
    },
  );
});

it("a folder store does not follow symbolic links", async () => {
  const folder = makeFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync("/etc/hostname", join(folder, "link"));
  await expect(openFileStore(folder).read("link", 0)).rejects.toThrow(StoreUnavailable);
  await expect(openFileStore(folder).read("link/below", 0)).rejects.toThrow(NotInStore);
});
