import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, LayoutDashboard, Link2, type LucideIcon, Pencil, Pin } from "lucide-react";
import { useMemo, useState } from "react";
import { identityQuery } from "../../api/auth.ts";
import { dashboardsQuery } from "../../api/dashboards.ts";
import { mayAct } from "../../core/roles.ts";
import type { LineNames } from "../../questions/question.ts";
import { timeRangeInWords } from "../../scope/days.ts";
import { KIND_ICONS } from "../../widgets/icons.ts";
import { titleOf } from "../../widgets/registry.ts";
import type { Command } from "../commands.ts";
import { useAnswerActions } from "./useAnswerActions.ts";
import type { PageScope } from "./usePageScope.ts";
import type { WholeQuestion } from "./useReading.ts";

/** What somebody is choosing: nothing yet, what to do with the answer, or the dashboard to do it on. */
type Step = "ask" | "act" | "pin" | "edit";

const entryOf = (group: Command["group"], label: string, icon: LucideIcon, run: () => void, more: Partial<Command> = {}): Command =>
  ({ id: `${group} ${label}`, group, label, icon, run, ...more });

/** Return the answer of a question as an entry, and then what can be done with it. Another line begins again. */
export function useAnswerCommands(
  text: string,
  question: WholeQuestion | undefined,
  names: LineNames | undefined,
  page: PageScope,
): { answers: Command[]; isChoosing: boolean } {
  const [choice, setChoice] = useState<{ text: string; step: Step }>({ text, step: "ask" });
  const step = choice.text === text && question ? choice.step : "ask";
  const { data: identity } = useQuery(identityQuery);
  const { data: dashboards } = useQuery(dashboardsQuery);
  const mayWrite = identity ? mayAct(identity.role, "developer") : false;
  const { pin, edit, copyLink, hasDraft } = useAnswerActions(question, names);
  const { dashboardId: pageDashboardId } = page;
  const answers = useMemo(() => {
    if (!question || !names) return [];
    const goTo = (nextStep: Step) => () => setChoice({ text, step: nextStep });
    const back = (nextStep: Step) => entryOf("What to do", "Back", ArrowLeft, goTo(nextStep), { staysOpen: true });
    if (step === "ask") {
      const { kind: type, config, timeRange } = question;
      const detail = timeRangeInWords(timeRange, names.timezone);
      return [entryOf("Answer", titleOf({ title: "", type, config }), KIND_ICONS[type], goTo("act"), { detail, staysOpen: true })];
    }
    if (step === "act") {
      const writes = [
        entryOf("What to do", "Pin to a dashboard", Pin, goTo("pin"), { staysOpen: true }),
        entryOf("What to do", "Open in the editor", Pencil, goTo("edit"), { staysOpen: true }),
      ];
      return [...(mayWrite ? writes : []), entryOf("What to do", "Copy link", Link2, copyLink), back("ask")];
    }
    const fittingDashboards = (dashboards ?? [])
      .filter(({ environment }) => environment === question.environment)
      .toSorted((one, other) => Number(other.id === pageDashboardId) - Number(one.id === pageDashboardId));
    const entries = fittingDashboards.map((dashboard) =>
      step === "pin"
        ? entryOf("Pin to", dashboard.name, LayoutDashboard, () => pin(dashboard), { id: dashboard.id })
        : entryOf("New widget on", dashboard.name, LayoutDashboard, () => edit(dashboard), { id: dashboard.id, ...(hasDraft(dashboard) ? { detail: "replaces your draft" } : {}) }),
    );
    return [...entries, back("act")];
  }, [text, question, names, step, mayWrite, dashboards, pageDashboardId, pin, edit, copyLink, hasDraft]);
  return { answers, isChoosing: step !== "ask" };
}
