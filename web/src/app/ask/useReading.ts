import { useMemo } from "react";
import type { LineNames, Question, Reading } from "../../questions/question.ts";
import { readLine, readQuestion } from "../../questions/readQuestion.ts";
import type { PageScope } from "./usePageScope.ts";
import { useLineNames } from "./useLineNames.ts";

/** A question with all that it needs to be asked. */
export type WholeQuestion = Question & Required<Pick<Question, "timeRange" | "environment">>;

/** What a line says, with the names of the environment that it is about. */
export interface LineReading {
  names: LineNames | undefined;
  reading: Reading | undefined;
  /** The question of the line; what it does not say is that of the page. */
  question: WholeQuestion | undefined;
}

/** Read a line with the names of its environment: that of the page unless the line has another. */
export function useReading(text: string, page: PageScope): LineReading {
  const pageNames = useLineNames(page.environment);
  const environment = (pageNames && environmentOf(text, pageNames)) ?? page.environment;
  const names = useLineNames(environment);
  const timeRangeText = JSON.stringify(page.timeRange);
  return useMemo(() => {
    if (!names || text.trim() === "") return { names, reading: undefined, question: undefined };
    const reading = readQuestion(text, names);
    const timeRange = JSON.parse(timeRangeText) as PageScope["timeRange"];
    const question = reading.question && { timeRange, ...reading.question, environment };
    return { names, reading, question };
  }, [text, names, environment, timeRangeText]);
}

/** Return the environment that a line names, if it does and there is one of that name. */
function environmentOf(text: string, names: LineNames): string | undefined {
  const { environment } = readLine(text, names).draft;
  return names.environments.some(({ name }) => name === environment) ? environment : undefined;
}
