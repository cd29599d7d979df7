import { expect, it } from "vitest";

import { addressPage, isPageAddress } from "./page-address.ts";

it.each([
  ["https://meshroll.example.com", "https://meshroll.example.com/runs/0a1b2c3d4e5f"],
  ["https://meshroll.example.com/", "https://meshroll.example.com/runs/0a1b2c3d4e5f"],
  ["http://127.0.0.1:8080/mesh/", "http://127.0.0.1:8080/mesh/runs/0a1b2c3d4e5f"],
])("the page at %s has a run at %s", (page, address) => {
  expect(addressPage(page, { code: "Run", id: "0a1b2c3d4e5f" })).toBe(address);
});

it("views of the page have addresses of their own, and a name ends no link", () => {
  const page = "https://meshroll.example.com";
  expect(addressPage(page, { code: "Fleet" })).toBe("https://meshroll.example.com/");
  expect(addressPage(page, { code: "Namespace", name: "a/../b>" })).toBe(
    "https://meshroll.example.com/namespaces/a%2F..%2Fb%3E",
  );
  expect(addressPage(page, { code: "Namespace", name: "a)(b'*" })).toBe(
    "https://meshroll.example.com/namespaces/a%29%28b%27%2A",
  );
});

it.each([
  [undefined],
  [""],
  ["javascript:alert(1)"],
  ["ftp://meshroll.example.com"],
  ["https://ana:secret@meshroll.example.com"],
  ["https://meshroll.example.com/>|x"],
  ["https://meshroll.example.com/)[y](https://elsewhere.example.com"],
  ["https://meshroll.example.com/\nnext"],
  ["https://"],
  [`https://meshroll.example.com/${"x".repeat(1000)}`],
])("no link is made to %j", (page) => {
  expect(isPageAddress(page)).toBe(false);
  expect(addressPage(page, { code: "Fleet" })).toBeUndefined();
});
