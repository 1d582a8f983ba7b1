import type { Cadence, Digest, DigestChange } from "../../api/digests.ts";
import { recipientsIn } from "./recipients.ts";

/** A digest while somebody writes it. Both days are kept, so that another cadence does not forget them. */
export interface DigestDraft {
  dashboardId: string;
  name: string;
  cadence: Cadence;
  sendHour: number;
  weekday: number;
  dayOfMonth: number;
  timezone: string;
  /** As they are typed. */
  recipients: string;
}

/** Return the draft of a new digest: every Monday morning, to the one who makes it. */
export function newDraft(dashboardId: string, timezone: string, email: string): DigestDraft {
  return { dashboardId, name: "", cadence: "weekly", sendHour: 9, weekday: 1, dayOfMonth: 1, timezone, recipients: email };
}

/** Return the draft of a digest that exists. */
export function draftOf(digest: Digest): DigestDraft {
  const { dashboardId, name, cadence, sendHour, weekday, dayOfMonth, timezone, recipients } = digest;
  return {
    ...{ dashboardId, sendHour, timezone },
    name: name ?? "",
    cadence: cadence as Cadence,
    weekday: weekday ?? 1,
    dayOfMonth: dayOfMonth ?? 1,
    recipients: recipients.join("\n"),
  };
}

/** Return what a draft says as the API takes it, without the dashboard, which cannot change. */
export function fieldsOf({ name, cadence, sendHour, weekday, dayOfMonth, timezone, recipients }: DigestDraft) {
  return {
    name: name.trim() || null,
    cadence,
    sendHour,
    weekday: cadence === "weekly" ? weekday : null,
    dayOfMonth: cadence === "monthly" ? dayOfMonth : null,
    timezone: timezone.trim(),
    recipients: recipientsIn(recipients),
  } satisfies DigestChange;
}

/** Return what changes when the mail of a digest does. */
export const mailKey = ({ id, name, cadence, sendHour, weekday, dayOfMonth, timezone }: Digest): string =>
  JSON.stringify([id, name, cadence, sendHour, weekday, dayOfMonth, timezone]);
