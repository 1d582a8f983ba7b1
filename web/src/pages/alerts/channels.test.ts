import { expect, test } from "vitest";
import { onlyEnabledChannelIds, recipientsInWords, silenceInWords, untoldInWords } from "./channels.ts";

const on = (id: string) => ({ id, enabled: true });
const off = (id: string) => ({ id, enabled: false });

test("the only channel that is on is meant", () => {
  expect(onlyEnabledChannelIds([on("a")])).toEqual(["a"]);
  expect(onlyEnabledChannelIds([off("b"), on("a")])).toEqual(["a"]);
  expect(onlyEnabledChannelIds([off("b")])).toEqual([]);
  expect(onlyEnabledChannelIds([on("a"), on("b")])).toEqual([]);
  expect(onlyEnabledChannelIds([])).toEqual([]);
});

test("no one is notified without a channel that is on", () => {
  expect(silenceInWords([], [on("a")])).toBe("This alert has no channel.");
  expect(silenceInWords(["a"], [off("a"), on("b")])).toBe("Its channel is switched off.");
  expect(silenceInWords(["a", "b"], [off("a"), off("b")])).toBe("All its channels are switched off.");
  expect(silenceInWords(["a", "b"], [off("a"), on("b")])).toBe("");
  expect(silenceInWords(["a"], undefined)).toBe("");
});

test("a rule names whom it notifies, and says that it is nobody", () => {
  const channels = [{ id: "a", name: "Mail", enabled: true }, { id: "b", name: "Pager", enabled: false }];
  expect(recipientsInWords({ channelIds: ["a", "b"] }, channels)).toBe("Mail, Pager (off)");
  expect(recipientsInWords({ channelIds: [] }, channels)).toBe("notifies no one");
  expect(recipientsInWords({ channelIds: ["a"] }, [])).toBe("");
});

test("an alert that fires says who does not know it", () => {
  const channels = ["Chat", "Pager", "Mail", "Off", "Else"].map((name) => ({ id: name, name, enabled: name !== "Off" }));
  const told = (channelId: string, status: "sent" | "waiting" | "failed", error: string | null = null) => ({ channelId, at: "", status, error });
  const lastDeliveries = [told("Chat", "failed", "HTTP 404"), told("Pager", "waiting", "no answer"), told("Mail", "sent")];
  const fires = { status: "firing" as const, channelIds: ["Chat", "Pager", "Mail", "Off"], lastDeliveries };
  expect(untoldInWords(fires, channels)).toEqual([
    "Chat couldn't be notified: HTTP 404",
    "Pager hasn't been notified yet: no answer",
    "Off is switched off.",
  ]);
  expect(untoldInWords({ ...fires, status: "ok" }, channels)).toEqual([]);
  expect(untoldInWords({ ...fires, channelIds: ["Mail"] }, channels)).toEqual([]);
  expect(untoldInWords({ ...fires, channelIds: ["Chat"], lastDeliveries: [told("Chat", "waiting")] }, channels)).toEqual([]);
  expect(untoldInWords({ ...fires, channelIds: [] }, channels)).toEqual(["No one is notified because it has no channel."]);
});
