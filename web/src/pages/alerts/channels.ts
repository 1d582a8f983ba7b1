import type { AlertChannel } from "../../api/alertChannels.ts";
import type { Alert } from "../../api/alerts.ts";

/** The end of an alert's address with which its dialog for a new channel is open. */
export const NEW_CHANNEL_HASH = "new-channel";

type ChannelSwitch = Pick<AlertChannel, "id" | "enabled">;

/** Return the id of the only channel that is on: whoever has one means that one. */
export function onlyEnabledChannelIds(channels: readonly ChannelSwitch[]): string[] {
  const enabledIds = channels.filter(({ enabled }) => enabled).map(({ id }) => id);
  return enabledIds.length === 1 ? enabledIds : [];
}

/**
 * Say that an alert with these channels notifies nobody, and why.
 *
 * @param channels - all of the workspace; undefined while they are not known.
 * @returns "" if somebody is notified.
 */
export function silenceInWords(channelIds: readonly string[], channels: readonly ChannelSwitch[] | undefined): string {
  if (channelIds.length === 0) return "This alert has no channel.";
  const isEveryOff = channels?.every(({ id, enabled }) => !enabled || !channelIds.includes(id)) ?? false;
  if (!isEveryOff) return "";
  return channelIds.length === 1 ? "Its channel is switched off." : "All its channels are switched off.";
}

/** Say whom an alert notifies: "On call, Pager (off)". */
export function recipientsInWords({ channelIds }: Pick<Alert, "channelIds">, channels: readonly NamedChannel[]): string {
  if (channelIds.length === 0) return "notifies no one";
  return channels
    .filter(({ id }) => channelIds.includes(id))
    .map(({ name, enabled }) => (enabled ? name : `${name} (off)`))
    .join(", ");
}

type AlertDeliveries = Pick<Alert, "status" | "channelIds" | "lastDeliveries">;
type NamedChannel = Pick<AlertChannel, "id" | "name" | "enabled">;

/** Say of an alert that fires who does not know it, and why. */
export function untoldInWords({ status, channelIds, lastDeliveries }: AlertDeliveries, channels: readonly NamedChannel[]): string[] {
  if (status !== "firing") return [];
  if (channelIds.length === 0) return ["No one is notified because it has no channel."];
  return channels
    .filter(({ id }) => channelIds.includes(id))
    .flatMap(({ id, name, enabled }) => {
      if (!enabled) return [`${name} is switched off.`];
      const delivery = lastDeliveries.find(({ channelId }) => channelId === id);
      if (!delivery || delivery.status === "sent" || delivery.error === null) return [];
      return [`${name} ${delivery.status === "failed" ? "couldn't be notified" : "hasn't been notified yet"}: ${delivery.error}`];
    });
}
