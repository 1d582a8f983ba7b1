import type { WidgetFields } from "../../api/widgets.ts";
import type { Configs } from "../../widgets/definition.ts";
import { makeWidget, MEDIUM_ROWS, SMALL_ROWS } from "./templateWidgets.ts";

const HALF: [number, number] = [6, MEDIUM_ROWS];

/** What each process of a bot reports once a minute, over time. */
const statistics = { event: "bot_stats", overTime: true } as const;

/** How a bot is, from the events that the client's helpers send (docs/howto/discord-bot.md). */
export function botHealthWidgets(): WidgetFields[] {
  return [
    makeWidget("kpi", "Overview", [12, SMALL_ROWS], {
      sparklines: true,
      items: [
        { event: "command_used", measure: "count", label: "Commands" },
        { event: "command_used", measure: "uniq_actors", label: "Users" },
        { event: "command_used", measure: "uniq", property: "guild_id", label: "Active guilds" },
        { event: "guild_join", measure: "count", label: "Joins" },
        { event: "guild_leave", measure: "count", label: "Leaves", good: "down" },
        { event: "bot_error", measure: "count", label: "Errors", good: "down" },
      ] as Configs["kpi"]["items"],
    }),
    makeWidget("metric", "Commands over time", [8, MEDIUM_ROWS], {
      event: "command_used",
      measure: "count",
      overTime: true,
      compare: "previous",
    }),
    makeWidget("metric", "Most used commands", [4, MEDIUM_ROWS], {
      event: "command_used",
      measure: "count",
      breakdown: "command",
      limit: 7,
    }),
    makeWidget("formula", "Errors per 100 commands", HALF, {
      a: { event: "bot_error", measure: "count" },
      b: { event: "command_used", measure: "count" },
      expression: "a / b * 100",
      overTime: true,
    }),
    makeWidget("metric", "Errors by command", HALF, { event: "bot_error", measure: "count", breakdown: "command", limit: 7 }),
    makeWidget("metric", "Joins and leaves", HALF, {
      events: ["guild_join", "guild_leave"],
      measure: "count",
      breakdown: "name",
      overTime: true,
      display: { chart: "bar" },
    }),
    makeWidget("metric", "Guilds by process", HALF, { ...statistics, measure: "max", property: "guilds", breakdown: "_source" }),
    makeWidget("metric", "Duration of commands, p95, in ms", HALF, { ...statistics, measure: "max", property: "command_ms_p95" }),
    makeWidget("metric", "Latency by process, in ms", HALF, {
      ...statistics,
      measure: "avg",
      property: "ws_ping",
      breakdown: "_source",
    }),
    makeWidget("metric", "Lost connections by shard", [12, MEDIUM_ROWS], {
      event: "shard_disconnect",
      measure: "count",
      breakdown: "_source",
      overTime: true,
      display: { chart: "bar" },
    }),
  ];
}
