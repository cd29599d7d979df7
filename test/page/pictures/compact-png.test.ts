import { beforeAll, expect, it } from "vitest";

import { usePage } from "../bed/use-page.ts";
import { compactPng } from "./compact-png.ts";

const bed = usePage();
let shot: Buffer;

beforeAll(async () => {
  const page = await bed().browser.newPage({ viewport: { width: 300, height: 200 } });
  const words = `<p style="color:#1f5fbf">1-25-2</p><i style="color:#b3261e">✕</i><i style="color:#1f6f43">o</i>`;
  await page.setContent(`<body style="margin:0;background:#faf9f6"><h1>meshroll</h1>${words}`);
  shot = await page.screenshot();
  await page.close();
});

/** The pixels as the browser reads them, as red, green, blue, alpha. */
async function readPixels(png: Buffer): Promise<readonly number[]> {
  const page = await bed().browser.newPage();
  const read = `(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png.toString("base64")}";
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return [image.width, image.height, ...context.getImageData(0, 0, image.width, image.height).data];
  })()`;
  const pixels = await page.evaluate<readonly number[]>(read);
  await page.close();
  return pixels;
}

it("a picture of at most 256 colours stays as it is, and another one differs by no more than a shade", async () => {
  const [before, after] = [await readPixels(shot), await readPixels(compactPng(shot))];
  expect(after.slice(0, 2)).toEqual([300, 200]);
  expect(after).toHaveLength(before.length);
  const furthest = before.reduce((most, value, at) => Math.max(most, Math.abs(value - (after[at] ?? 0))), 0);
  expect(furthest).toBeLessThanOrEqual(8);
});

it("another kind of PNG is refused", () => {
  const grey = Buffer.from(shot);
  grey[25] = 0;
  expect(() => compactPng(grey)).toThrow("a PNG of another kind: 0800000000");
});
