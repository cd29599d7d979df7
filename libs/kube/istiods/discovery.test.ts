import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { decodeSyncResponse, encodeStruct, encodeSyncRequest, FIELDS } from "./discovery.ts";
import { decodeAll, decodeFields, encodeField, readText } from "./protobuf.ts";

/** The name of what it throws. */
function nameError(work: () => unknown): string {
  try {
    work();
    return "none";
  } catch (error) {
    return error instanceof Error ? error.name : "no error";
  }
}

describe("messages of ADS", () => {
  it("an answer of istiod has its version, and each proxy with what it refused", () => {
    const { response, controlPlane, any, client, node, config, failure } = FIELDS;
    const configs = [
      [encodeField(config.type, "example/Cluster"), encodeField(config.status, 1)],
      [
        encodeField(config.type, "example/Listener"),
        encodeField(config.status, 4),
        encodeField(config.error, encodeField(failure.details, "no filter")),
      ],
      [encodeField(config.type, "example/New"), encodeField(config.status, 99)],
    ].map((parts) => encodeField(client.configs, Buffer.concat(parts)));
    const proxy = Buffer.concat([encodeField(client.node, encodeField(node.id, "web-1.shop")), ...configs]);
    const identifier = '{"Component":"istiod","ID":"istiod-1-31-0","Info":{"version":"1.31.0"}}';
    const message = Buffer.concat([
      encodeField(response.resources, encodeField(any.value, proxy)),
      encodeField(response.controlPlane, encodeField(controlPlane.identifier, identifier)),
    ]);
    expect(decodeSyncResponse(message)).toEqual({
      version: "1.31.0",
      proxies: [
        {
          proxy: "web-1.shop",
          resources: [
            { type: "example/Cluster", state: "synced" },
            { type: "example/Listener", state: "error", error: "no filter" },
            { type: "example/New", state: "unknown" },
          ],
        },
      ],
    });
  });

  it("the question has no ProxyConfig, so that istiod does not count us", () => {
    const request = decodeFields(encodeSyncRequest({ namespace: "istio-system", account: "meshroll-istiod" }));
    const [node] = decodeAll(request, FIELDS.request.node);
    expect(readText(request, FIELDS.request.type)).toBe("istio.io/debug/syncz");
    expect(node && readText(node, FIELDS.node.id)).toMatch(/^sidecar~0\.0\.0\.0~meshroll\.istio-system~/u);
    expect(String(node?.bytes.get(FIELDS.node.metadata))).not.toContain("PROXY_CONFIG");
  });

  it("any bytes are a message, or an error that says why they are none", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(nameError(() => decodeSyncResponse(Buffer.from(bytes)))).toMatch(/^(?:none|Error|SyntaxError)$/u);
      }),
    );
  });

  it("numbers of all sizes come back", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 10_000 }), fc.string(), (value, field, text) => {
        const message = Buffer.concat([encodeField(field, value), encodeField(field, text)]);
        expect(decodeFields(message).numbers.get(field)).toBe(value);
        expect(readText(decodeFields(message), field)).toBe(Buffer.from(text).toString());
      }),
    );
  });

  it("a struct has its texts and its structs", () => {
    const [entry] = decodeAll(decodeFields(encodeStruct({ a: { b: "c" } })), FIELDS.struct.fields);
    expect(entry && readText(entry, FIELDS.entry.key)).toBe("a");
    expect(encodeStruct({}).length).toBe(0);
  });
});
