/** Bots of a listing. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { METRICS, TIME_FRAMES, botIdParameter, idListParameter, offsetParameter } from "../../core/bots.ts";
import { text } from "../../scope/search.ts";
import { member } from "./frame.ts";
import { anyOf, withScope } from "./parameters.ts";

/** A counter of bots and how far back its history goes. */
const HISTORY = { metric: anyOf(...METRICS), timeFrame: anyOf(...TIME_FRAMES) };

const bots = createRoute({
  getParentRoute: () => member,
  path: "/bots",
  validateSearch: withScope({
    q: text, sort: anyOf(...METRICS), dir: anyOf("asc"), offset: offsetParameter, ids: idListParameter,
  }),
  component: lazyRouteComponent(() => import("../../pages/bots/RankingsPage.tsx"), "RankingsPage"),
});

const bot = createRoute({
  getParentRoute: () => member,
  path: "/bots/$botId",
  validateSearch: withScope({ ...HISTORY, by: anyOf("hour", "day"), offset: offsetParameter }),
  component: lazyRouteComponent(() => import("../../pages/bots/BotPage.tsx"), "BotPage"),
});

const voter = createRoute({
  getParentRoute: () => member,
  path: "/bots/$botId/votes/$userId",
  validateSearch: withScope({}),
  component: lazyRouteComponent(() => import("../../pages/bots/VoterPage.tsx"), "VoterPage"),
});

const owner = createRoute({
  getParentRoute: () => member,
  path: "/bots/users/$userId",
  validateSearch: withScope({ offset: offsetParameter }),
  component: lazyRouteComponent(() => import("../../pages/bots/OwnerPage.tsx"), "OwnerPage"),
});

const compare = createRoute({
  getParentRoute: () => member,
  path: "/bots/compare",
  validateSearch: withScope({ ...HISTORY, as: anyOf("value", "growth", "gap"), ids: idListParameter }),
  component: lazyRouteComponent(() => import("../../pages/bots/compare/ComparePage.tsx"), "ComparePage"),
});

const feeding = createRoute({
  getParentRoute: () => member,
  path: "/bots/feeding",
  validateSearch: withScope({ bot: botIdParameter, new: anyOf("1") }),
  component: lazyRouteComponent(() => import("../../pages/bots/FeedingPage.tsx"), "FeedingPage"),
});

const image = createRoute({
  getParentRoute: () => member,
  path: "/bots/image",
  validateSearch: withScope({ ...HISTORY, ids: idListParameter }),
  component: lazyRouteComponent(() => import("../../pages/images/BuilderPage.tsx"), "BuilderPage"),
});

export const botRoutes = [bots, bot, voter, owner, compare, feeding, image] as const;
