import { expect, test } from "vitest";
import { feedCommands } from "./commands.ts";

const ID = "432610292342587392";
const commands = feedCommands("https://tally.example.com", "tr_stats_1", ID);

test("every command names the server, the token and the bot", () => {
  for (const { code } of commands) {
    expect(code).toContain("https://tally.example.com");
    expect(code).toContain("tr_stats_1");
    expect(code).toContain(ID);
  }
  expect(commands.map(({ name }) => name)).toEqual(["Profile", "Counters", "Vote", "Webhook", "SDK", "topstats"]);
});

test("a command of several lines runs as it was copied", () => {
  expect(commands[1]?.code).toContain(`-X POST https://tally.example.com/chat/bots/${ID}/stats \\\n  -H "Authorization: tr_stats_1" \\\n`);
});
