import { useQuery } from "@tanstack/react-query";
import { annotationsQuery } from "../../api/annotations.ts";
import { environmentLabel } from "../../api/environments.ts";
import { previewQuestion, questionQuery } from "../../api/widgets.ts";
import { errorInWords } from "../../api/words.ts";
import type { LineNames } from "../../questions/question.ts";
import { timeRangeInWords } from "../../scope/days.ts";
import { Card } from "../../ui/Card/Card.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { useDebounced } from "../../ui/useDebounced.ts";
import { BodySkeleton } from "../../widgets/BodySkeleton.tsx";
import { DashboardContext } from "../../widgets/DashboardContext.ts";
import { WidgetBody } from "../../widgets/WidgetBody.tsx";
import { outlineOf, titleOf } from "../../widgets/registry.ts";
import { sizeOf } from "../../widgets/sizeOf.ts";
import styles from "./LineAnswer.module.css";
import type { WholeQuestion } from "./useReading.ts";

export interface AnswerCardProps {
  question: WholeQuestion;
  names: LineNames;
  /** The line has changed since, and is no question any more. */
  isEarlier: boolean;
}

/** The answer to a question as the widget that it would be. It is asked once the line rests. */
export function AnswerCard({ question, names, isEarlier }: AnswerCardProps) {
  const restingQuestion = useDebounced(question);
  const { kind, config, environment, timeRange } = restingQuestion;
  const { data, error, isPending, isFetching, refetch } = useQuery(questionQuery(previewQuestion(environment, kind, config, timeRange)));
  const { data: annotations = [] } = useQuery(annotationsQuery(environment));
  const title = titleOf({ title: "", type: kind, config });
  const widget = { id: "line", title, type: kind, config, layout: sizeOf(kind) };
  const scopeWords = [timeRangeInWords(timeRange, names.timezone), environmentLabel(names.environments, environment)];
  return (
    <div className={styles.answer} data-earlier={isEarlier || undefined}>
      <Card title={title} note={isEarlier ? "answer to the line before" : scopeWords.join(" · ")} busy={isPending} isStale={isFetching && !isPending} level={3}>
        <div className={styles.body}>
          {error ? (
            <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
          ) : data ? (
            <DashboardContext value={{ timezone: names.timezone, annotations }}>
              <WidgetBody widget={widget} answer={data} asTable={false} />
            </DashboardContext>
          ) : (
            <BodySkeleton outline={outlineOf(widget)} />
          )}
        </div>
      </Card>
    </div>
  );
}
