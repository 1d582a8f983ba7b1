import { queryOptions } from "@tanstack/react-query";
import { DELETE, GET, PATCH, POST, answer } from "./client.ts";
import { deletion } from "./deletion.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
/** An alert with its status and last value; the words of a rule are those that the API takes. */
export type Alert = Omit<Schemas["AlertOut"], "condition" | "measure" | "severity"> & {
  condition: Condition;
  measure: Measure | null;
  severity: Severity;
};
export type AlertFields = Schemas["AlertIn"];
/** What an alert watches: the part of its fields that a back-test takes. */
export type AlertRule = Omit<Schemas["AlertPreviewIn"], "minutes">;
/** What an alert measures, without its condition and its threshold. */
export type AlertSubject = Omit<AlertRule, "condition" | "threshold">;
export type Condition = AlertRule["condition"];
export type Measure = NonNullable<AlertRule["measure"]>;
export type Severity = NonNullable<AlertFields["severity"]>;
export type AlertFormula = Schemas["Formula"];
/** An alert fired, resolved, or had no value during an incident; everything about it is as it was then. */
export type ActivityEntry = Omit<Schemas["ActivityEntry"], "condition"> & { condition: Condition };
export type BackTest = Schemas["AlertPreviewOut"];
export type PastIncident = Schemas["PastIncidentOut"];
/** The values of 30 days, minute by minute. */
export type PastValues = Pick<BackTest, "from" | "to" | "points" | "notices"> & { minutes: Schemas["PastMinutes"] };
/** On which of the last 30 days each alert fired. */
export type AlertHistory = Schemas["AlertHistoryOut"];
export type DayHistory = Schemas["AlertHistory"];

/** All alerts of the workspace, the oldest first. */
export const alertsQuery = queryOptions({
  queryKey: ["/v1/alerts"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/alerts", { signal }))).alerts as Alert[],
});

/** One alert; 404 when the workspace has none of this id. */
export const alertQuery = (alert_id: string) =>
  queryOptions({
    queryKey: ["/v1/alerts/{alert_id}", alert_id],
    queryFn: ({ signal }) => answer(GET("/v1/alerts/{alert_id}", { ...pathParams(alert_id), signal })) as Promise<Alert>,
  });

/** When alerts fired and resolved, the newest first; of one alert, or of all, those that are deleted included. */
export const activityQuery = (limit: number, alertId?: string) =>
  queryOptions({
    queryKey: ["/v1/alerts/activity", { limit, alertId }],
    queryFn: async ({ signal }) => {
      const query = { limit: String(limit), ...(alertId === undefined ? {} : { alertId }) };
      return (await answer(GET("/v1/alerts/activity", { params: { query }, signal }))).activity as ActivityEntry[];
    },
  });

/** On which of the last 30 days each alert of the workspace fired, as of an entry of its activity. */
export const historyQuery = (newestEntryId: string | undefined) =>
  queryOptions({
    queryKey: ["/v1/alerts/history", newestEntryId],
    queryFn: ({ signal }): Promise<AlertHistory> => answer(GET("/v1/alerts/history", { signal })),
  });

/** What an alert would have done in the past 30 days. It judges every minute, so it is not asked again soon. */
export const backTestQuery = (rule: AlertRule) => {
  const { condition, threshold, ...rest } = rule;
  return queryOptions({
    queryKey: ["/v1/alerts/preview", rest, { condition, threshold }],
    queryFn: ({ signal }): Promise<BackTest> => answer(POST("/v1/alerts/preview", { body: rule, signal })),
    staleTime: 60_000,
    retry: false,
  });
};

/** The values that an alert would have judged in the past 30 days; no condition changes them. */
export const pastValuesQuery = (subject: AlertSubject) =>
  queryOptions({
    queryKey: ["/v1/alerts/preview", "minutes", subject],
    queryFn: ({ signal }) => {
      const body = { ...subject, condition: "nodata" as const, threshold: null, minutes: true };
      return answer(POST("/v1/alerts/preview", { body, signal })) as Promise<PastValues>;
    },
    staleTime: 60_000,
    retry: false,
  });

const pathParams = (alert_id: string) => ({ params: { path: { alert_id } } });

export const createAlert = (body: AlertFields) => answer(POST("/v1/alerts", { body })) as Promise<Alert>;
/** Change an alert; `enabled: false` pauses it. */
export const changeAlert = (id: string, body: Schemas["AlertChange"]) =>
  answer(PATCH("/v1/alerts/{alert_id}", { ...pathParams(id), body })) as Promise<Alert>;
/** End the open incident of an alert; 409 when it has none. */
export const resolveAlert = (id: string) => answer(POST("/v1/alerts/{alert_id}/resolve", pathParams(id))) as Promise<Alert>;
/** Delete an alert; its activity is kept. */
export const deleteAlert = (id: string) => deletion(id, DELETE("/v1/alerts/{alert_id}", pathParams(id)));
