import { expect, test } from "vitest";
import { parse } from "yaml";

import { renderKubeconfig } from "./kubeconfig.ts";

test("a kubeconfig of several clusters has a context for each, by its name", () => {
  const text = renderKubeconfig([
    { name: "one", url: "http://127.0.0.1:1", token: 'a"b' },
    { name: "two", url: "http://127.0.0.1:2", token: undefined },
  ]);
  expect(parse(text)).toEqual({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "one", cluster: { server: "http://127.0.0.1:1", "insecure-skip-tls-verify": true } },
      { name: "two", cluster: { server: "http://127.0.0.1:2", "insecure-skip-tls-verify": true } },
    ],
    contexts: [
      { name: "one", context: { cluster: "one", user: "one" } },
      { name: "two", context: { cluster: "two", user: "two" } },
    ],
    "current-context": "one",
    users: [
      { name: "one", user: { token: 'a"b' } },
      { name: "two", user: {} },
    ],
  });
});
