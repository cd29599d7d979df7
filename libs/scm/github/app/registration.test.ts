import { describe, expect, it } from "vitest";

import { describeRegistration, type RegistrationOptions } from "./registration.ts";

const options: RegistrationOptions = {
  role: "services",
  name: "meshroll-acme",
  organisation: "acme",
  server: "https://github.com",
  home: "https://meshroll.example.com",
};

const rightsOf = (role: RegistrationOptions["role"]) =>
  describeRegistration({ ...options, role }).manifest.default_permissions;

describe("what an App is granted", () => {
  it("for planner and notifier: what either of them uses, and no more", () => {
    expect(rightsOf("services")).toEqual({
      metadata: "read",
      contents: "write",
      pull_requests: "write",
      checks: "write",
      statuses: "write",
      members: "read",
      issues: "write",
      deployments: "write",
    });
  });

  it("for executors: to read", () => {
    expect(rightsOf("executor")).toEqual({ metadata: "read", contents: "read" });
  });
});

describe("GitHub's form, filled in", () => {
  const cases = [
    { name: "of an organisation", change: {}, want: "https://github.com/organizations/acme/settings/apps/new" },
    { name: "of a person", change: { organisation: undefined }, want: "https://github.com/settings/apps/new" },
    {
      name: "of an Enterprise Server",
      change: { server: "https://github.example.com/" },
      want: "https://github.example.com/organizations/acme/settings/apps/new",
    },
    {
      name: "of a name with a slash",
      change: { organisation: "a/../b?x" },
      want: "https://github.com/organizations/a%2F..%2Fb%3Fx/settings/apps/new",
    },
  ];
  it.each(cases)("$name", ({ change, want }) => {
    const { organisation = change.organisation, ...rest } = { ...options, ...change };
    const { address } = describeRegistration({ ...rest, ...(organisation === undefined ? {} : { organisation }) });
    expect(address.split("?")[0]).toBe(want);
  });

  it("asks for each right, keeps the App private, and without a webhook for no event", () => {
    const fields = new URL(describeRegistration(options).address).searchParams;
    const asked = Object.keys(rightsOf("services")).map((right) => [right, fields.get(right)]);
    expect(Object.fromEntries(asked)).toEqual(rightsOf("services"));
    expect([fields.get("public"), fields.get("webhook_active"), fields.getAll("events[]")]).toEqual([
      "false",
      "false",
      [],
    ]);
  });

  it("names the webhook and its events, in the form and in the manifest", () => {
    const webhook = "https://meshroll.example.com/webhooks/github";
    const { address, manifest } = describeRegistration({ ...options, webhook });
    const fields = new URL(address).searchParams;
    expect(fields.get("webhook_url")).toBe(webhook);
    expect(fields.getAll("events[]")).toEqual(manifest.default_events);
    expect(manifest).toMatchObject({ public: false, hook_attributes: { url: webhook, active: true } });
    // GitHub refuses the event to an App without this right.
    expect([manifest.default_events.includes("merge_group"), fields.get("merge_queues")]).toEqual([true, "read"]);
  });
});
