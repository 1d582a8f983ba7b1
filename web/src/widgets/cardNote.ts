import { filtersInWords, type Filter } from "../scope/filters.ts";
import { answerNote } from "./answerNote.ts";
import type { Kind, Result, ShownWidget } from "./definition.ts";
import { questionTitle } from "./questionTitle.ts";
import { definitionOf } from "./registry.ts";

/** Kinds whose note and title say the same, if nobody wrote another title. */
const KINDS_SAID_BY_TITLE = new Set<Kind>(["metric", "formula", "histogram", "table"]);

/** Say what a card counts, beside its title: what a title made from the question says is not said again. */
export function cardNote({ title, type, config }: Pick<ShownWidget, "title" | "type" | "config">, answer: Result): string {
  const isSaidByTitle = title === "" && questionTitle(type, config) !== "";
  if (isSaidByTitle && KINDS_SAID_BY_TITLE.has(type)) return answerNote(answer);
  const { filters } = config as { filters?: Filter[] | null };
  const filterWords = isSaidByTitle ? "" : filtersInWords(filters);
  return [definitionOf(type)?.note(config, answer as never), filterWords].filter(Boolean).join(" · ");
}
