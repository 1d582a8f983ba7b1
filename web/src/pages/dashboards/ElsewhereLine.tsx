import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { Suspense } from "react";
import type { Dashboard } from "../../api/dashboards.ts";
import { type DataFields, type Result, savedWidgetQuery, widgetQuery } from "../../api/widgets.ts";
import { lazily } from "../../ui/lazily.ts";
import { isAllZero } from "../../widgets/emptyAnswers.ts";

const ElsewhereOffer = lazily(() => import("./ElsewhereOffer.tsx"), "ElsewhereOffer");

export interface ElsewhereLineProps {
  dashboard: Dashboard;
  dataFields: DataFields;
  mayWrite: boolean;
}

/** A board of zeros says which environment has the events. It reads the answers of the cards, and asks for none itself. */
export function ElsewhereLine({ dashboard, dataFields, mayWrite }: ElsewhereLineProps) {
  const hasOnlyZeros = useQueries({
    queries: dashboard.widgets.map((widget) => ({ ...widgetQuery(savedWidgetQuery(dashboard, widget, dataFields)), enabled: false })),
    combine: areAllZero,
  });
  return <Suspense>{hasOnlyZeros ? <ElsewhereOffer dashboard={dashboard} mayWrite={mayWrite} /> : null}</Suspense>;
}

/** Whether all cards have their answers, and nothing happened in any that events decide. */
function areAllZero(answers: UseQueryResult<Result>[]): boolean {
  const zeroFlags = answers.map(({ data }) => (data === undefined ? false : isAllZero(data)));
  return zeroFlags.includes(true) && !zeroFlags.includes(false);
}
