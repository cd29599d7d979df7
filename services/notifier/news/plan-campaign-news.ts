import type { Event } from "#libs/events";

import { type Group, nameSlot } from "../facts/group.ts";
import { renderBake, renderBakePause, renderBakePauses } from "../render/slack/bake.ts";
import { renderGateLine, renderGates } from "../render/slack/gates.ts";
import { quoteMrkdwn } from "../render/mrkdwn.ts";
import { renderCompleted, renderMerging, renderProposed } from "../render/slack/stages.ts";
import { renderWavesEnded } from "../render/slack/clusters.ts";
import type { Place, Notification } from "../facts/notifications.ts";

type OfType<T extends Event["type"]> = Extract<Event, { readonly type: T }>;

/** Clusters without workloads of the run left; those of the same ten minutes share a message. */
export function planWaveEnd({ data, at }: OfType<"run.v1.waveClosed">): readonly Notification[] {
  const grown = { render: renderWavesEnded, unlessOpen: false, broadcast: undefined };
  const key = `waveDone/${nameSlot(at)}`;
  return data.clusters.map((cluster) => {
    const line = quoteMrkdwn(cluster, 60);
    return { kind: "add", place: { run: data.run }, family: "waveDone/", key, id: cluster, line, ...grown };
  });
}

/** The run's own message shows the bake's progress. Interruptions may be frequent, so they share a message. */
export function planBake({ data, id, at }: OfType<"run.v1.bake">): readonly Notification[] {
  const place: Place = { run: data.run };
  if (data.step === "progress") return [];
  if (data.step !== "paused") {
    return [{ kind: "message", place, key: `bake/${id}`, content: renderBake(data), broadcast: undefined }];
  }
  const grown = { id, line: renderBakePause(data, at), render: renderBakePauses, unlessOpen: false };
  const key = `bakePaused/${nameSlot(at)}`;
  return [{ kind: "add", place, family: "bakePaused/", key, broadcast: undefined, ...grown }];
}

/** Verdicts of gates; those of the same ten minutes share a message. A failed gate is shown to the channel. */
export function planGate({ data, id, at }: OfType<"gate.v1.judged">): readonly Notification[] {
  const { verdict, run } = data;
  const family = `gate/${verdict}/`;
  const render = (group: Group) => renderGates(verdict, group);
  const grown = { id, line: renderGateLine(data), render, unlessOpen: false };
  const broadcast = verdict === "fail" ? "failed" : undefined;
  return [{ kind: "add", place: { run }, family, key: `${family}${nameSlot(at)}`, broadcast, ...grown }];
}

/** In the thread of the previous run; a campaign's first stage has none and is posted in the channel. */
function placeAfter(campaign: string, after: string | undefined): Place {
  return after === undefined ? { campaign } : { run: after };
}

export function planProposed({ data }: OfType<"stage.v1.proposed">): readonly Notification[] {
  const broadcast = (data.approvals ?? 0) > 0 ? "approvalNeeded" : undefined;
  const key = `stage/${data.pull}`;
  return [
    { kind: "message", place: placeAfter(data.campaign, data.after), key, content: renderProposed(data), broadcast },
  ];
}

export function planMerging({ data }: OfType<"stage.v1.autoMerge">): readonly Notification[] {
  const [place, key] = [placeAfter(data.campaign, data.after), `autoMerge/${data.pull}/${data.mergesAt}`];
  return [{ kind: "message", place, key, content: renderMerging(data), broadcast: undefined }];
}

export function planCompleted({ data, id }: OfType<"campaign.v1.completed">): readonly Notification[] {
  const content = renderCompleted(data);
  return [
    { kind: "message", place: placeAfter(data.campaign, data.runs.at(-1)), key: id, content, broadcast: "completed" },
  ];
}
