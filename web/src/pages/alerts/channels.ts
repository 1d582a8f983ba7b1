import type { AlertChannel } from "../../api/alertChannels.ts";

type Switched = Pick<AlertChannel, "id" | "enabled">;

/** Return the id of the only channel that is on: whoever has one means that one. */
export function onlyOne(channels: readonly Switched[]): string[] {
  const on = channels.filter(({ enabled }) => enabled).map(({ id }) => id);
  return on.length === 1 ? on : [];
}

/**
 * Say that an alert with these channels notifies nobody, and why.
 *
 * @param channels - all of the workspace; undefined while they are not known.
 * @returns "" if somebody is notified.
 */
export function silenceInWords(chosen: readonly string[], channels: readonly Switched[] | undefined): string {
  if (chosen.length === 0) return "It has no channel.";
  const isOff = channels?.every(({ id, enabled }) => !enabled || !chosen.includes(id)) ?? false;
  if (!isOff) return "";
  return chosen.length === 1 ? "Its channel is switched off." : "All its channels are switched off.";
}
