import { expect } from "vitest";

import type { FleetStatus, ToldAnswers } from "#libs/plan";
import { printPlainLine } from "#libs/wording";

/** Undoes escaping, line breaks, and times in another zone, which a surface may apply to a sentence. */
function unescape(text: string): string {
  return text
    .replaceAll(/<!date\^\d+\^[^|]*\|([^>]*)>/gu, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replaceAll(/&#8203;|[\u2060\u200B]/gu, "")
    .replaceAll(/\\([^\w\s])/gu, "$1")
    .replaceAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/gu, "$1T$2.000Z");
}

/** Only the words: without line breaks, emphasis and code spans. */
function fold(text: string): string {
  return unescape(text)
    .replaceAll(/[`*_>|]/gu, "")
    .replaceAll(/\s+/gu, " ");
}

function listSentences({ where, rollouts, waiting, next, stop, undo }: ToldAnswers): readonly string[] {
  const lines = [...where, ...rollouts, ...waiting, ...next, stop, undo];
  return lines.flatMap((line) => [printPlainLine(line), line.command ?? ""]);
}

/** Expects every sentence and every command of the answers in what a surface shows. */
export function expectAnswers(surface: string, told: ToldAnswers): void {
  const shown = fold(surface);
  const missing = listSentences(told).filter((sentence) => !shown.includes(fold(sentence)));
  expect(missing).toEqual([]);
}

export function pickCampaign(status: FleetStatus) {
  const [campaign] = status.campaigns ?? [];
  if (campaign === undefined) throw new Error("the status names no campaign");
  return campaign;
}
