import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, LayoutDashboard, Link2, type LucideIcon, Pencil, Pin, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { identityQuery } from "../../api/auth.ts";
import { type DashboardRow, dashboardsQuery } from "../../api/dashboards.ts";
import { mayAct } from "../../core/roles.ts";
import type { LineNames } from "../../questions/question.ts";
import type { Command } from "../commands.ts";
import { useAnswerActions } from "./useAnswerActions.ts";
import type { PageScope } from "./usePageScope.ts";
import type { WholeQuestion } from "./useReading.ts";

/** What somebody is choosing: what to do with the answer, or the dashboard to do it on. */
type Step = "act" | "pin" | "edit";

const STAYS = { staysOpen: true };

const entryOf = (group: Command["group"], label: string, icon: LucideIcon, run: () => void, more: Partial<Command> = {}): Command =>
  ({ id: `${group} ${label}`, group, label, icon, run, ...more });

/** Return what can be done with the answer of a question, the dashboard of the page first. Another line begins again. */
export function useAnswerCommands(
  text: string,
  question: WholeQuestion | undefined,
  names: LineNames | undefined,
  page: PageScope,
): { answers: Command[]; isChoosing: boolean } {
  const [choice, setChoice] = useState<{ text: string; step: Step }>({ text, step: "act" });
  const step = choice.text === text && question ? choice.step : "act";
  const { data: identity } = useQuery(identityQuery);
  const { data: dashboards } = useQuery(dashboardsQuery);
  const mayWrite = identity ? mayAct(identity.role, "developer") : false;
  const { pin, pinToNew, edit, copyLink, hasDraft } = useAnswerActions(question, names);
  const { dashboardId: pageDashboardId } = page;
  const answers = useMemo(() => {
    if (!question) return [];
    const goTo = (nextStep: Step) => () => setChoice({ text, step: nextStep });
    const boards = (dashboards ?? []).filter(({ environment }) => environment === question.environment);
    const pageBoard = boards.find(({ id }) => id === pageDashboardId);
    const otherBoards = boards.filter((board) => board !== pageBoard);
    const draftHint = (board: DashboardRow) => (hasDraft(board) ? { detail: "replaces your draft" } : {});
    const back = entryOf("This answer", "Back", ArrowLeft, goTo("act"), STAYS);
    if (step === "pin") return [...otherBoards.map((board) => entryOf("Pin to", board.name, LayoutDashboard, () => pin(board), { id: board.id })), back];
    if (step === "edit") {
      return [...otherBoards.map((board) => entryOf("New widget on", board.name, LayoutDashboard, () => edit(board), { id: board.id, ...draftHint(board) })), back];
    }
    const pins = [
      ...(pageBoard ? [entryOf("This answer", `Pin to ${pageBoard.name}`, Pin, () => pin(pageBoard))] : []),
      ...(otherBoards.length > 0 ? [entryOf("This answer", pageBoard ? "Pin to another dashboard" : "Pin to a dashboard", Pin, goTo("pin"), STAYS)] : []),
      entryOf("This answer", "Pin to a new dashboard", Plus, pinToNew),
    ];
    const editOnBoard = pageBoard && entryOf("This answer", "Open in the editor", Pencil, () => edit(pageBoard), draftHint(pageBoard));
    const edits = editOnBoard ? [editOnBoard] : otherBoards.length > 0 ? [entryOf("This answer", "Open in the editor", Pencil, goTo("edit"), STAYS)] : [];
    return [...(mayWrite ? [...pins, ...edits] : []), entryOf("This answer", "Copy link", Link2, copyLink)];
  }, [text, question, step, mayWrite, dashboards, pageDashboardId, pin, pinToNew, edit, copyLink, hasDraft]);
  return { answers, isChoosing: step !== "act" };
}
