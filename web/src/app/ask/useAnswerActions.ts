import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { identityQuery } from "../../api/auth.ts";
import type { DashboardRow } from "../../api/dashboards.ts";
import type { Widget } from "../../api/widgets.ts";
import { copyText } from "../../core/clipboard.ts";
import { draftNameOf, handOverDraft, isDraftKept } from "../../core/drafts.ts";
import { essenceOf, newDraft, subjectOfNew } from "../../pages/widgets/draft.ts";
import type { LineNames } from "../../questions/question.ts";
import { writeQuestion } from "../../questions/writeQuestion.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { withWorkspace } from "../../scope/search.ts";
import { toast } from "../../ui/Toast/toast.ts";
import { definitionOf } from "../../widgets/registry.ts";
import { pinQuestion, pinToNewDashboard } from "./pinQuestion.ts";
import type { WholeQuestion } from "./useReading.ts";

/** What can be done with the answer to a question. */
interface AnswerActions {
  /** Add it to a dashboard. */
  pin: (dashboard: DashboardRow) => void;
  /** Add it to a dashboard that is made for it, and show that. */
  pinToNew: () => void;
  /** Open it as a new widget of a dashboard, in the editor. */
  edit: (dashboard: DashboardRow) => void;
  /** Copy an address under which the same line is asked again. */
  copyLink: () => void;
  /** Return whether somebody has left a new widget of this kind unsaved on a dashboard. */
  hasDraft: (dashboard: DashboardRow) => boolean;
}

/** What a new draft begins with is replaced by the question. */
const NO_START = { event: "", nextEvent: "", numberProperty: "" };

/** Return what can be done with the answer to a question; nothing is done without one. */
export function useAnswerActions(question: WholeQuestion | undefined, names: LineNames | undefined): AnswerActions {
  const navigate = useNavigate();
  const router = useRouter();
  const queryClient = useQueryClient();
  const { data: identity } = useQuery(identityQuery);
  return useMemo(() => {
    const definition = question && definitionOf(question.kind);
    const draftName = (dashboardId: string) =>
      draftNameOf(identity?.user.id ?? "", identity?.workspace.id ?? "", subjectOfNew(dashboardId, question?.kind ?? "metric"));
    const showCard = ({ id: hash, dashboardId: id }: Widget) => navigate({ to: "/d/$id", params: { id }, search: true, hash });
    return {
      pin: ({ id, name }) => {
        if (!question) return;
        pinQuestion(queryClient, question, id)
          .then((widget) => {
            if (router.state.location.pathname === `/d/${id}`) void showCard(widget);
            else toast({ text: `Pinned to ${name}.`, action: { label: "Open", onAct: () => void showCard(widget) } });
          })
          .catch(sayFailure);
      },
      pinToNew: () => {
        if (!question) return;
        const { environment } = question;
        pinToNewDashboard(queryClient, question)
          .then(({ id: hash, dashboardId: id }) => navigate({ to: "/d/$id", params: { id }, search: { env: environment }, hash }))
          .catch(sayFailure);
      },
      edit: ({ id }) => {
        if (!question || !definition) return;
        const emptyDraft = newDraft(definition, NO_START);
        const value = { ...emptyDraft, configByKind: { [question.kind]: question.config } };
        handOverDraft(draftName(id), { value, savedText: JSON.stringify(essenceOf(emptyDraft)) });
        void navigate({ to: "/d/$id/w/$widgetId", params: { id, widgetId: "new" }, search: { kind: question.kind } });
      },
      copyLink: () => {
        if (!question || !names) return;
        const { href } = router.buildLocation({ to: "/dashboards", search: { ask: writeQuestion(question, names) } });
        void copyText(withWorkspace(window.location.origin + href, identity?.workspace.id ?? "")).then((isCopied) =>
          toast(isCopied ? { text: "Link copied." } : { text: "Couldn't copy the link.", tone: "error" }),
        );
      },
      hasDraft: ({ id }) => isDraftKept(draftName(id)),
    };
  }, [question, names, identity, navigate, router, queryClient]);
}
