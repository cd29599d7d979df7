import { drawText, drawValue, pick, type Random } from "./hostile.ts";

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One entry of an object is changed, removed, copied to a hostile key, or changed in a nested value. */
function mutateObject(random: Random, value: Json): unknown {
  const keys = Object.keys(value);
  const how = random();
  if (keys.length === 0 || how < 0.1)
    return Object.fromEntries([...Object.entries(value), [drawText(random), drawValue(random)]]);
  const key = pick(random, keys);
  const others = Object.entries(value).filter(([name]) => name !== key);
  if (how < 0.2) return Object.fromEntries(others);
  if (how < 0.3) return Object.fromEntries([...others, [drawText(random), value[key]]]);
  return Object.fromEntries([...others, [key, mutateJson(random, value[key])]]);
}

/** The same value, wrong in one place. */
export function mutateJson(random: Random, value: unknown): unknown {
  if (random() < 0.25) return drawValue(random);
  if (isObject(value)) return mutateObject(random, value);
  if (!Array.isArray(value) || value.length === 0) return drawValue(random);
  const index = Math.floor(random() * value.length);
  return value.map((each: unknown, at) => (at === index ? mutateJson(random, each) : each));
}

/** The same text, wrong in up to three places: cut, duplicated, with hostile text inserted, or with other characters. */
export function mutateText(random: Random, text: string): string {
  let result = text;
  for (let times = 1 + Math.floor(random() * 3); times > 0; times -= 1) {
    const at = Math.floor(random() * (result.length + 1));
    const length = Math.floor(random() * 20);
    const parts = [result.slice(0, at), result.slice(at, at + length), result.slice(at + length)] as const;
    const [before, middle, after] = parts;
    const changes = [
      () => before + after,
      () => before + middle + middle + after,
      () => before + drawText(random) + after,
      () => before + String.fromCharCode(Math.floor(random() * 256)) + middle + after,
      () => before,
    ];
    result = pick(random, changes)();
  }
  return result;
}

/** A JSON text, made wrong as JSON or as text. */
export function mutateMessage(random: Random, text: string): string {
  if (random() < 0.2) return mutateText(random, text);
  try {
    return JSON.stringify(mutateJson(random, JSON.parse(text))) ?? "";
  } catch {
    // Not JSON: it is mutated as text.
    return mutateText(random, text);
  }
}
