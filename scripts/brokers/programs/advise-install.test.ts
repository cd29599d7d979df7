import { describe, expect, it } from "vitest";

import { adviseInstall } from "./advise-install.ts";
import { isAtLeast, readVersion } from "./version.ts";

describe("how to install Redis and NATS, by platform", () => {
  const cases = [
    { name: "macOS", platform: "darwin", release: "", want: "brew install redis nats-server" },
    {
      name: "Debian",
      platform: "linux",
      release: 'ID=debian\nVERSION_ID="12"\n',
      want: "apt-get install -y redis-server nats-server",
    },
    { name: "Ubuntu", platform: "linux", release: "ID=ubuntu\nID_LIKE=debian\n", want: "apt-get install" },
    { name: "Alpine", platform: "linux", release: 'NAME="Alpine"\nID=alpine\n', want: "apk add redis nats-server" },
    { name: "Fedora", platform: "linux", release: "ID=fedora\n", want: "dnf install -y valkey" },
    {
      name: "Rocky",
      platform: "linux",
      release: 'ID="rocky"\nID_LIKE="rhel centos fedora"\n',
      want: "dnf install -y valkey",
    },
  ] as const;
  it.each(cases)("$name", ({ platform, release, want }) => expect(adviseInstall(platform, release)).toContain(want));
});

describe("versions", () => {
  const texts = [
    { text: "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64", want: "7.0.15" },
    { text: "nats-server: v2.9.10", want: "2.9.10" },
    { text: "no number", want: undefined },
  ];
  it.each(texts)("$text: $want", ({ text, want }) => expect(readVersion(text)).toBe(want));

  const cases = [
    { version: "6.2.0", oldest: "6.2.0", want: true },
    { version: "6.1.9", oldest: "6.2.0", want: false },
    { version: "10.0.0", oldest: "6.2.0", want: true },
    { version: "2.10.1", oldest: "2.9.0", want: true },
    { version: "unknown", oldest: "2.9.0", want: false },
  ];
  it.each(cases)("$version for $oldest: $want", ({ version, oldest, want }) =>
    expect(isAtLeast(version, oldest)).toBe(want),
  );
});
