import type { FileDiff } from "../git/diff.ts";
import type { Hub } from "../state/hub.ts";
import { apiUrl, htmlUrl } from "./repository.ts";

export function showFileDiff(hub: Hub, head: string, file: FileDiff): Readonly<Record<string, unknown>> {
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: htmlUrl(hub, `/blob/${head}/${file.path}`),
    raw_url: htmlUrl(hub, `/raw/${head}/${file.path}`),
    contents_url: apiUrl(hub, `/contents/${file.path}?ref=${head}`),
    patch: file.patch,
  };
}
