import type { Choice } from "./phrases.ts";
import type { LineNames } from "./question.ts";
import { readLine } from "./readQuestion.ts";
import type { Place } from "./Reader.ts";

/** What may stand at the cursor in place of what was typed there. */
export interface Suggestion extends Choice {
  /** Where what it replaces begins, in UTF-16 units; it ends at the cursor. */
  start: number;
}

const MAX_SUGGESTIONS = 9;
/** So many lists are of names; behind a question, each clause has a list. */
const FEW_LISTS = 4;

/** Return what may stand at a cursor of a line: what begins with the last words before it, then what holds them. */
export function suggestionsAt(line: string, cursor: number, names: LineNames): Suggestion[] {
  const head = line.slice(0, cursor);
  const { reader } = readLine(head, names);
  const isBetweenWords = head === "" || /[\s,(]$/.test(head);
  const places = reader.places.filter(({ start }) => start < head.length || isBetweenWords);
  const suggestions = places.toSorted((one, other) => other.start - one.start).flatMap((place) => suggestionsOf(place, head.slice(place.start)));
  return firstOfEach(suggestions).slice(0, MAX_SUGGESTIONS);
}

function firstOfEach(suggestions: readonly Suggestion[]): Suggestion[] {
  const suggestionByText = new Map<string, Suggestion>();
  for (const suggestion of suggestions) if (!suggestionByText.has(suggestion.text)) suggestionByText.set(suggestion.text, suggestion);
  return [...suggestionByText.values()];
}

/** Return what continues a typed text; a text that is whole has no suggestion. */
function suggestionsOf({ start, choiceLists }: Place, typedText: string): Suggestion[] {
  const choices = typedText === "" ? firstChoices(choiceLists) : choiceLists.flat();
  const ranked = [0, 1].flatMap((rank) => choices.filter(({ text }) => rankOf(text, typedText) === rank));
  return ranked.map((choice) => ({ ...choice, start }));
}

/** Where nothing is typed yet, return all of a few lists, or one of each of many. */
function firstChoices(choiceLists: Place["choiceLists"]): Choice[] {
  const choices = choiceLists.length <= FEW_LISTS ? choiceLists.flat() : choiceLists.flatMap((list) => list.slice(0, 1));
  return choices.filter(({ text }) => /[\p{L}\d]/u.test(text));
}

/** Rank a choice: 0 if it begins with what was typed, 1 if it holds it, 2 if it does neither or is the same. */
function rankOf(text: string, typedText: string): number {
  const [choiceText, query] = [text.toLowerCase().replace(/^"/, ""), typedText.toLowerCase().replace(/^"/, "")];
  if (choiceText === query || text === typedText.trim()) return 2;
  if (choiceText.startsWith(query)) return 0;
  return query.length > 1 && choiceText.includes(query) ? 1 : 2;
}
