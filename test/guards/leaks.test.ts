import { describe, expect, it } from "vitest";
import { findLeaks, readMachine } from "../../scripts/guards/leaks.ts";

const machine = { hosts: ["npm.example.test"], folders: ["/srv/app", "/srv"] };
const join = (...parts: readonly string[]) => parts.join("");

describe("no committed file names a package registry or a folder of the machine", () => {
  const cases = [
    { name: "the mirror that this machine uses", text: "curl https://npm.example.test/x", wantLeaks: 1 },
    { name: "the public npm registry", text: join("https://registry.npm", "js.org/zod"), wantLeaks: 1 },
    { name: "the Go proxy", text: join("GOPROXY=https://proxy.gol", "ang.org"), wantLeaks: 1 },
    { name: "the Python index", text: join("https://py", "pi.org/simple"), wantLeaks: 1 },
    { name: "the checkout's folder", text: "cd /srv/app && ls", wantLeaks: 1 },
    { name: "a file next to the checkout", text: 'open("/srv/other/file")', wantLeaks: 1 },
    { name: "a host and a folder", text: "npm.example.test in /srv/app", wantLeaks: 2 },
    { name: "a longer path that ends the same", text: "/data/srv/x", wantLeaks: 0 },
    { name: "a longer word that begins the same", text: "/srvx", wantLeaks: 0 },
    { name: "a longer host", text: "my-npm.example.test", wantLeaks: 0 },
    { name: "this computer", text: "http://127.0.0.1:4222", wantLeaks: 0 },
    { name: "an ordinary host", text: "https://istio.io/latest/docs", wantLeaks: 0 },
  ];

  it.each(cases)("$name: $wantLeaks", ({ text, wantLeaks }) => {
    expect(findLeaks("docs/a.md", `first line\n${text}\n`, machine)).toHaveLength(wantLeaks);
  });

  it("names the line", () => expect(findLeaks("a", "\n\n/srv", machine)).toMatchObject([{ line: 3 }]));

  it("knows the checkout's folder and its parents", () => {
    expect(readMachine("/data/team/app").folders).toEqual(["/data/team/app", "/data/team"]);
  });

  it("allows a text to name the temporary folder where the checkout is in it", () => {
    expect(readMachine("/tmp/app").folders).toEqual(["/tmp/app"]);
  });
});
