import { z } from "zod";

import { verbAnswer } from "../../libs/events/status/answer.ts";
import { batchJob } from "../../libs/events/commands/batch-job.ts";
import { brokenBatches } from "../../libs/events/status/broken-batches.ts";
import { catalogue } from "../../libs/events/catalogue.ts";
import { request, controlState } from "../../libs/events/commands/control.ts";
import { factsForm, inventoryForm } from "../../libs/events/inventory/inventory-forms.ts";
import { facts } from "../../libs/events/status/notify-facts.ts";
import { status } from "../../libs/events/status/status.ts";
import { notifications } from "../../libs/events/status/notifications.ts";
import { pastRun, pastStop } from "../../libs/ledger/files/archive-files.ts";
import { baseline, carriedOut, heads, plan, run, stop } from "../../libs/ledger/records/records.ts";
import { recordedStopForm } from "../../libs/plan/records/recorded-stop.ts";

/** The form of a record as JSON Schema: its fields, which may be absent, and what each may be. */
export type Form = Readonly<Record<string, unknown>>;

/** By kind of record. */
export type Forms = Readonly<Record<string, Form>>;

const schemas: Readonly<Record<string, z.ZodType>> = {
  "ledger heads": heads,
  "ledger baseline": baseline,
  "ledger run": run,
  "ledger stop": stop,
  "ledger verb": carriedOut,
  "ledger plan": plan,
  "ledger line of a past run": pastRun,
  "ledger line of a past stop": pastStop,
  "control state": controlState,
  "control verb": request,
  "status answer": verbAnswer,
  "status broken batches": brokenBatches,
  "status fleet": status,
  "status notify": facts,
  "status notifications": notifications,
  batch: batchJob,
  ...Object.fromEntries(Object.values(catalogue).map(({ type, schema }) => [`event ${type}`, schema])),
};

function describeSchema(schema: z.ZodType): Form {
  const { $schema: _, ...form } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return form;
}

/** What this build reads, kind by kind. */
export function describeForms(): Forms {
  const described = Object.entries(schemas).map(([kind, schema]) => [kind, describeSchema(schema)] as const);
  const byHand = {
    "namespace inventory": inventoryForm,
    "cluster facts": factsForm,
    "recorded stop": recordedStopForm,
  };
  // As it is kept: what JSON does not write is no part of a form.
  return JSON.parse(JSON.stringify({ ...Object.fromEntries(described), ...byHand })) as Forms;
}
