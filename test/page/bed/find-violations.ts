import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds wrong with a page as it stands. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger, so the page's content security policy needs no exception.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe: here } = globalThis as unknown as { axe: { run(): Promise<{ violations: readonly Violation[] }> } };
    return (await here.run()).violations;
  });
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary ?? node.html).join(" | ")}`);
}
