import type { AlertChannel, ChannelType, Delivery } from "../../api/alertChannels.ts";
import { countInWords, ordinal } from "../../core/numbers.ts";

/** What the form of a channel says about its destination. */
export interface ChannelKind {
  /** As people call it. */
  label: string;
  /** The name of the field for the destination. */
  destinationLabel: string;
  placeholder: string;
  hint: string;
}

/** The types of channels in the order of the form. */
export const CHANNEL_KINDS: Record<ChannelType, ChannelKind> = {
  email: {
    label: "Email",
    destinationLabel: "Address",
    placeholder: "on-call@example.com",
    hint: "One address. For several people, use a mailing list.",
  },
  slack: {
    label: "Slack",
    destinationLabel: "Webhook URL",
    placeholder: "https://hooks.slack.com/services/…",
    hint: "In your Slack app, go to Incoming Webhooks > Add New Webhook to Workspace. Mattermost and Rocket.Chat also work.",
  },
  discord: {
    label: "Discord",
    destinationLabel: "Webhook URL",
    placeholder: "https://discord.com/api/webhooks/…",
    hint: "In the channel's settings, go to Integrations > Webhooks > New Webhook > Copy Webhook URL.",
  },
  telegram: {
    label: "Telegram",
    destinationLabel: "Bot token and chat",
    placeholder: "123456:AbC-dEf/-1001234567890",
    hint: "The token from @BotFather, a slash, and the chat ID. Group IDs are negative; a public channel is @name.",
  },
  webhook: {
    label: "Webhook",
    destinationLabel: "URL",
    placeholder: "https://example.com/hooks/tallyroom",
    hint: "Each message is a signed POST. The signing secret is shown once, after you create the channel.",
  },
};

/** The types as choices of a field. */
export const KIND_CHOICES = Object.entries(CHANNEL_KINDS).map(([value, { label }]) => ({ value, label }));

/** What a message told, in words. */
export const MESSAGE_WORDS: Record<Delivery["type"], string> = {
  "alert.fired": "fired",
  "alert.reminder": "still firing",
  "alert.nodata": "no data",
  "alert.resolved": "resolved",
  test: "test",
};

/** Say what became of a message: "fired · sent", "resolved · failed after 3 attempts: HTTP 404". */
export function deliveryInWords({ type, status, attempts, error }: Pick<Delivery, "type" | "status" | "attempts" | "error">): string {
  const attemptsInWords = countInWords(attempts, "attempt");
  const textByStatus: Record<Delivery["status"], string> = {
    sent: attempts > 1 ? `sent on the ${ordinal(attempts)} attempt` : "sent",
    waiting: attempts === 0 ? "waiting" : `waiting after ${attemptsInWords}`,
    failed: attempts === 0 ? "failed" : `failed after ${attemptsInWords}`,
  };
  return `${MESSAGE_WORDS[type]} · ${textByStatus[status]}${error === null || status === "sent" ? "" : `: ${error}`}`;
}

/** Say how many alerts tell a channel. */
export function alertCountInWords({ id }: Pick<AlertChannel, "id">, alerts: readonly { channelIds: readonly string[] }[]): string {
  const count = alerts.filter(({ channelIds }) => channelIds.includes(id)).length;
  return count === 0 ? "no alerts" : countInWords(count, "alert");
}
