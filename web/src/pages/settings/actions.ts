import type { AuditEntry } from "../../api/audit.ts";

/** What somebody did, by the API's word for it. A word that is not here is shown as it is. */
const ACTION_WORDS: Record<string, string> = {
  "key.create": "created key",
  "key.rename": "renamed key",
  "key.revoke": "revoked key",
  "stats_token.create": "created statistics token",
  "stats_token.revoke": "revoked statistics token",
  "token.create": "created token",
  "token.revoke": "revoked token",
  "webhook_secret.set": "set the webhook secret of bot",
  "webhook_secret.delete": "deleted the webhook secret of bot",
  "listing.publish": "published the listing",
  "listing.unpublish": "unpublished the listing",
  "listing.slug": "replaced the link to the listing",
  "member.role": "changed the role of",
  "member.remove": "removed member",
  "member.add": "added member",
  "member.reset": "set a new password for",
  "invite.create": "invited",
  "invite.withdraw": "withdrew the invitation for",
  "invite.accept": "accepted the invitation of",
  "workspace.create": "created workspace",
  "workspace.update": "changed the workspace",
  "workspace.plan": "changed the plan to",
  "environment.create": "created environment",
  "environment.update": "changed environment",
  "environment.delete": "deleted environment",
  "events.export": "exported events of",
  "actor.erase": "erased an actor in",
  "event.hide": "hid event",
  "event.show": "unhid event",
  "group_key.create": "registered group key",
  "group_key.update": "renamed group key",
  "group_key.default": "set the default group key to",
  "group_key.delete": "removed group key",
  "alert.create": "created alert",
  "alert.update": "changed alert",
  "alert.delete": "deleted alert",
  "alert.resolve": "resolved alert",
  "alert_channel.create": "created channel",
  "alert_channel.update": "changed channel",
  "alert_channel.delete": "deleted channel",
  "alert_channel.secret": "replaced the secret of channel",
  "dashboard.publish": "published dashboard",
  "dashboard.unpublish": "unpublished dashboard",
  "dashboard.slug": "replaced the link to dashboard",
  "dashboard.delete": "deleted dashboard",
  "widget.publish_rows": "published the rows of widget",
  "widget.withhold_rows": "unpublished the rows of widget",
  "external_source.create": "created source",
  "external_source.update": "changed source",
  "external_source.delete": "deleted source",
  "digest.create": "created digest",
  "digest.update": "changed digest",
  "digest.send": "sent digest",
  "digest.delete": "deleted digest",
};

/** What the log knows a thing by, the most telling first. */
const NAME_FIELDS = ["name", "label", "email", "propKey", "event", "environment", "plan"];

export interface ActionText {
  words: string;
  /** What it was done to. */
  subject: string;
  /** What changed, if the entry says so. */
  change: string;
}

/** Say what an entry of the audit log tells. */
export function actionOf({ action, subject, details }: AuditEntry): ActionText {
  const fields = typeof details === "object" && details !== null ? (details as Record<string, unknown>) : {};
  const name = NAME_FIELDS.map((key) => fields[key]).find((value): value is string => typeof value === "string" && value !== "");
  const subjectName = action === "workspace.update" ? "" : (name ?? subject);
  return { words: ACTION_WORDS[action] ?? action, subject: subjectName, change: changeOf(fields, subjectName) };
}

function changeOf(details: Record<string, unknown>, subject: string): string {
  const { from, to, before: oldValue, rowsOf, dashboard, isPublic } = details;
  if (typeof to === "string" && typeof from === "string") return `${from} → ${to}`;
  if (typeof rowsOf === "string") return `with the rows of ${rowsOf}`;
  if (typeof dashboard === "string") return `on ${isPublic === true ? "public" : "private"} dashboard ${dashboard}`;
  const fields = Object.entries(details).filter(([key]) => key !== "before" && key !== "byToken");
  if (subject === "") return fields.map(([field, newValue]) => `${field}: ${valueInWords(newValue)}`).join(", ");
  const [field, newValue] = fields[0] ?? [];
  return !("before" in details) || field === undefined || newValue === subject
    ? ""
    : `${field}: ${valueInWords(oldValue)} → ${valueInWords(newValue)}`;
}

const valueInWords = (value: unknown): string =>
  value === null || value === undefined ? "none" : typeof value === "string" ? value : JSON.stringify(value);
