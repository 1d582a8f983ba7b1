import { useEffect, useMemo, useState } from "react";
import type { Mark } from "../../questions/question.ts";
import { announce } from "../../ui/announce.ts";
import { useDebounced } from "../../ui/useDebounced.ts";
import { AnswerCard } from "./AnswerCard.tsx";
import { type Line, type LineOffer, NO_OFFER } from "./line.ts";
import styles from "./LineAnswer.module.css";
import { marksInWords } from "./marksInWords.ts";
import { useAnswerCommands } from "./useAnswerCommands.ts";
import { useCompletions } from "./useCompletions.ts";
import { usePageScope } from "./usePageScope.ts";
import { type WholeQuestion, useReading } from "./useReading.ts";

export interface LineAnswerProps {
  line: Line;
  onLine: (line: Line) => void;
  /** Takes what the line offers, for the list of the palette. */
  onOffer: (offer: LineOffer) => void;
}

/** The answer to the question of a line, drawn at once; in its place, what the line says that is not known. */
export function LineAnswer({ line, onLine, onOffer }: LineAnswerProps) {
  const page = usePageScope();
  const { names, reading, question } = useReading(line.text, page);
  const completions = useCompletions(line, names, onLine);
  const { answers, isChoosing } = useAnswerCommands(line.text, question, names, page);
  const offer = useMemo(() => {
    if (!reading) return NO_OFFER;
    const isQuestion = reading.marks === undefined || reading.isQuestion;
    const marks = isQuestion ? settledMarks(reading.marks ?? [], line.cursor, completions.length > 0) : [];
    return { answers, completions, marks, isQuestion, isChoosing };
  }, [reading, answers, completions, isChoosing, line.cursor]);
  useEffect(() => onOffer(offer), [offer, onOffer]);
  useEffect(() => () => onOffer(NO_OFFER), [onOffer]);
  const marksText = marksInWords(line.text, offer.marks);
  const restingText = useDebounced(marksText);
  useEffect(() => {
    if (restingText !== "") announce(restingText);
  }, [restingText]);
  const lastQuestion = useLastQuestion(question, offer.isQuestion);
  return (
    <>
      {marksText === "" ? null : <p className={styles.marks}>{marksText}</p>}
      {lastQuestion && names ? <AnswerCard question={lastQuestion} names={names} isEarlier={marksText !== ""} /> : null}
    </>
  );
}

/** Return the marks but for the word that somebody is still typing, as long as it begins something. */
const settledMarks = (marks: readonly Mark[], cursor: number, hasCompletions: boolean): readonly Mark[] =>
  hasCompletions ? marks.filter(({ start, end }) => end !== cursor && start !== cursor) : marks;

/** Return the newest question of a line that is one: while somebody types the next word, its answer stays. */
function useLastQuestion(question: WholeQuestion | undefined, isQuestion: boolean): WholeQuestion | undefined {
  const [lastQuestion, setLastQuestion] = useState(question);
  const nextQuestion = isQuestion ? (question ?? lastQuestion) : undefined;
  if (nextQuestion !== lastQuestion) setLastQuestion(nextQuestion);
  return nextQuestion;
}
