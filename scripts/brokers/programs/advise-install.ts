import { readFileSync } from "node:fs";

/** The command that installs Redis and NATS on this platform. `osRelease` is the text of /etc/os-release. */
export function adviseInstall(platform: NodeJS.Platform, osRelease: string): string {
  if (platform === "darwin") return "brew install redis nats-server";
  const family = [...osRelease.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)/gm)].map((match) => match[1] ?? "").join(" ");
  if (/\balpine\b/.test(family)) return "sudo apk add redis nats-server";
  // Fedora has no package of the NATS server.
  if (/\b(?:fedora|rhel|centos)\b/.test(family)) {
    return "sudo dnf install -y valkey golang && sudo GOBIN=/usr/local/bin go install github.com/nats-io/nats-server/v2@latest";
  }
  return "sudo apt-get install -y redis-server nats-server";
}

/** Text of /etc/os-release; empty where there is none. */
export function readOsRelease(): string {
  try {
    return readFileSync("/etc/os-release", "utf8");
  } catch {
    return "";
  }
}
