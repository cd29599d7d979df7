import { type Campaign, parseCampaign } from "#libs/campaign";
import { GitTooLarge, type RolloutsRepository } from "#libs/git";
import {
  campaignsFolder,
  chooseCampaignPaths,
  type CompiledSpec,
  type LastCampaigns,
  nameCampaignFile,
  type Spec,
  type UnreadCampaign,
} from "#libs/plan";

type Git = Pick<RolloutsRepository, "read" | "list" | "listLine" | "readChanges" | "contains">;

/** The repository, and the baseline from which main's history is read. */
interface Past {
  readonly repository: Git;
  readonly baseline: string;
  readonly settings: Spec["settings"];
  readonly compile: (commit: string) => Promise<CompiledSpec>;
}

const doneFolder = `${campaignsFolder}/done`;

async function attempt<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    // A file that is too large exists, but says nothing.
    if (error instanceof GitTooLarge) return otherwise;
    throw error;
  }
}

/** A file at a commit: its campaign, `broken`, or undefined where it does not exist. */
async function readAt(past: Past, commit: string, file: string): Promise<Campaign | "broken" | undefined> {
  const text = await attempt(past.repository.read(commit, file), "");
  if (text === undefined) return undefined;
  const parsed = parseCampaign(text, file, past.settings);
  return parsed.ok ? parsed.value : "broken";
}

interface Found {
  /** Campaigns that the file may stand for, as they parsed last: its own, or those that disappeared when it appeared. */
  readonly campaigns: readonly Campaign[];
  /** The commit that made the file as it is now. */
  readonly since: string;
}

async function listFiles({ repository }: Past, commit: string, folder: string): Promise<ReadonlySet<string>> {
  return new Set(chooseCampaignPaths(await attempt(repository.list(commit, folder), [])));
}

async function listDone({ repository }: Past, commit: string): Promise<ReadonlySet<string>> {
  return new Set((await attempt(repository.list(commit, doneFolder), [])).map(nameCampaignFile));
}

/**
 * Campaigns whose files disappeared when an unreadable file appeared: it may be one of them, renamed. Files moved to
 * `campaigns/done/` are over and left out.
 */
async function listReplaced(past: Past, appeared: string, head: string): Promise<readonly Campaign[]> {
  const line = await past.repository.listLine(past.baseline, appeared);
  const before = line.at(-2) ?? past.baseline;
  const [old, now, doneBefore, done] = [
    await listFiles(past, before, campaignsFolder),
    await listFiles(past, appeared, campaignsFolder),
    await listDone(past, before),
    await listDone(past, head),
  ];
  const isOver = (file: string): boolean => done.has(nameCampaignFile(file)) && !doneBefore.has(nameCampaignFile(file));
  const gone = [...old].filter((file) => !now.has(file) && !isOver(file));
  const found: Campaign[] = [];
  for (const file of gone) found.push(...(await findLast(past, before, file)).campaigns);
  return found;
}

async function findLast(past: Past, commit: string, file: string): Promise<Found> {
  const commits: string[] = [];
  await past.repository.readChanges(past.baseline, commit, [file], ({ sha, files }) => {
    if (files.has(file)) commits.push(sha);
  });
  const since = commits.at(-1) ?? past.baseline;
  let appeared: string | undefined;
  for (const sha of [...commits.toReversed(), past.baseline]) {
    const read = await readAt(past, sha, file);
    if (read === undefined) break;
    if (read !== "broken") return { campaigns: [read], since };
    appeared = sha;
  }
  if (appeared === undefined || appeared === past.baseline) return { campaigns: [], since };
  return { campaigns: await listReplaced(past, appeared, commit), since };
}

/** All campaigns at the newest commit whose campaigns folder could be read. */
async function readBeforeFolder(past: Past, commit: string): Promise<Spec | undefined> {
  const commits: string[] = [];
  await past.repository.readChanges(past.baseline, commit, [campaignsFolder], ({ sha, below }) => {
    if (below.length > 0) commits.push(sha);
  });
  for (const sha of [...commits.slice(0, -1).toReversed(), past.baseline]) {
    const made = await past.compile(sha);
    if (made.ok && made.spec.unreadFolder === undefined) return made.spec;
  }
  return undefined;
}

async function readFolder(past: Past, spec: Spec): Promise<LastCampaigns> {
  const { unreadFolder: finding } = spec;
  const before = finding === undefined ? undefined : await readBeforeFolder(past, spec.commit);
  if (finding === undefined || before === undefined) return { campaigns: [], unread: spec.unread ?? [] };
  const campaigns = [...before.campaigns.values()];
  const unread = campaigns.map(({ name, file }): UnreadCampaign => ({ name, file, finding }));
  return { campaigns, unread };
}

/** What main said, since the baseline, of the campaigns that cannot be read at a commit. Needs a few git processes for each. */
export async function readLastCampaigns(past: Past, spec: Spec): Promise<LastCampaigns> {
  if (spec.unreadFolder !== undefined) return readFolder(past, spec);
  const campaigns: Campaign[] = [];
  const unread: UnreadCampaign[] = [];
  for (const one of spec.unread ?? []) {
    const { file, finding } = one;
    const found = await findLast(past, spec.commit, file);
    unread.push({ ...one, since: found.since });
    // It contradicts another campaign but parses, so it is known as it is.
    if (spec.campaigns.get(one.name)?.file === file) continue;
    const others = found.campaigns.filter(({ name }) => name !== one.name && !spec.campaigns.has(name));
    campaigns.push(...found.campaigns);
    unread.push(...others.map((campaign) => ({ name: campaign.name, file, finding })));
  }
  const named = new Map(unread.toReversed().map((one) => [one.name, one]));
  return { campaigns, unread: [...named.values()].toReversed() };
}
