import { readFileSync } from "node:fs";

/** The one command that fixes it on this platform. */
export function advise(platform: NodeJS.Platform, osRelease: string): string {
  if (platform === "darwin") return "brew install redis nats-server";
  const family = [...osRelease.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)/gm)].map((match) => match[1] ?? "").join(" ");
  if (/\balpine\b/.test(family)) return "sudo apk add redis nats-server";
  // Fedora's own packages hold no NATS server.
  if (/\b(?:fedora|rhel|centos)\b/.test(family)) {
    return "sudo dnf install -y valkey golang && sudo GOBIN=/usr/local/bin go install github.com/nats-io/nats-server/v2@latest";
  }
  return "sudo apt-get install -y redis-server nats-server";
}

/** What this Linux calls itself; empty elsewhere. */
export function readOsRelease(): string {
  try {
    return readFileSync("/etc/os-release", "utf8");
  } catch {
    return "";
  }
}
