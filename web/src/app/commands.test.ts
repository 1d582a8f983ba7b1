import { Activity } from "lucide-react";
import { expect, test } from "vitest";
import { type Command, matchingCommands } from "./commands.ts";

const command = (label: string, group: Command["group"] = "Pages"): Command => {
  return { id: label, group, label, icon: Activity, run: () => undefined };
};
const commands = [command("Events"), command("API keys"), command("order.placed", "Events"), command("Dashboards")];
const labels = (typed: string) => matchingCommands(commands, typed).map(({ label }) => label);

test("nothing typed lists everything in order", () => {
  expect(labels("  ")).toEqual(["Events", "API keys", "order.placed", "Dashboards"]);
});

test("every word has to be somewhere", () => {
  expect(labels("keys api")).toEqual(["API keys"]);
  expect(labels("keys events")).toEqual([]);
});

test("what begins with the word comes first in its group", () => {
  expect(labels("e")).toEqual(["Events", "API keys", "Dashboards", "order.placed"]);
  expect(labels("d")).toEqual(["Dashboards", "order.placed"]);
  const found = matchingCommands([command("API keys"), command("Keyboard")], "key");
  expect(found.map(({ label }) => label)).toEqual(["Keyboard", "API keys"]);
  expect(labels("s")).toEqual(["Events", "API keys", "Dashboards", "order.placed"]);
});
