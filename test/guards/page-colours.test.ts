import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../../page/tokens.css", import.meta.url), "utf8");
const [light = "", dark = ""] = css.split("prefers-color-scheme: dark");

function readColour(theme: string, name: string): readonly number[] {
  const [, hex = ""] = new RegExp(`--${name}: #([0-9a-f]{6});`, "u").exec(theme) ?? [];
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
}

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function findLuminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function findContrast(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [findLuminance(one), findLuminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Text and its background, including those seen only for a moment, such as on an outdated page. */
const pairs = [
  ["moving", "moving-soft"],
  ["failed", "failed-soft"],
  ["moving", "sheet"],
  ["failed", "sheet"],
  ["good", "sheet"],
  ["new", "sheet"],
  ["quiet", "sheet"],
  ["quiet", "ground"],
  ["ink", "moving-soft"],
  ["on-past", "past"],
] as const;

describe.each([
  ["light", light],
  ["dark", dark],
])("in the %s theme", (_, theme) => {
  it.each(pairs)("--%s is readable on --%s", (text, ground) => {
    expect(findContrast(readColour(theme, text), readColour(theme, ground))).toBeGreaterThanOrEqual(4.5);
  });
});
