import type { Choice, Phrases } from "./phrases.ts";
import type { Mark } from "./question.ts";
import { similarTexts } from "./similar.ts";
import { type Token, tokensOf } from "./tokens.ts";
import type { NameList } from "./vocabulary.ts";

/** How many texts a mark has at most. */
const MAX_MARK_CHOICES = 5;
/** The last of so many marks goes to the end of the line: a pasted page is not read word by word. */
const MAX_MARKS = 20;

/** What may begin at a token of a line. */
export interface Place {
  start: number;
  choiceLists: readonly (readonly Choice[])[];
}

/** Reads a line from left to right, and notes what each place of it accepts and what it does not know. */
export class Reader {
  readonly marks: Mark[] = [];
  /** How many words the language or the environment knows. */
  knownCount = 0;
  readonly #line: string;
  readonly #tokens: readonly Token[];
  readonly #choiceListsByIndex = new Map<number, (readonly Choice[])[]>();
  #index = 0;

  constructor(line: string) {
    this.#line = line;
    this.#tokens = tokensOf(line);
  }

  get isAtEnd(): boolean {
    return this.#index >= this.#tokens.length;
  }

  /** Whether the line ends before its question does. */
  get isCutOff(): boolean {
    return this.marks.at(-1)?.start === this.#line.length;
  }

  /** What is accepted at the end of the line, and at the tokens before it. */
  get places(): readonly Place[] {
    return [...this.#choiceListsByIndex].map(([index, choiceLists]) => ({ start: this.#tokens[index]?.start ?? this.#line.length, choiceLists }));
  }

  /** Return the token that comes next, or the one after it; undefined at the end of the line. */
  peek(distance = 0): Token | undefined {
    return this.#tokens[this.#index + distance];
  }

  /** Note what may come next, without reading it; behind the end of a line that lacks something, nothing may. */
  expect(choices: readonly Choice[]): void {
    if (this.isCutOff) return;
    const choiceLists = this.#choiceListsByIndex.get(this.#index);
    if (choiceLists) choiceLists.push(choices);
    else this.#choiceListsByIndex.set(this.#index, [choices]);
  }

  /** Read a word or a sign of the language, if it comes next. */
  takesWord(word: string): boolean {
    return this.takesPhrase({ meanings: [{ words: word.split(" "), value: word }], choices: [{ text: word }] }) !== undefined;
  }

  /** Read one of several phrases; undefined if none of them comes next. */
  takesPhrase<Value>(phrases: Pick<Phrases<Value>, "meanings" | "choices">): Value | undefined {
    this.expect(phrases.choices);
    const meaning = this.#meaningOf(phrases, 0);
    if (!meaning) return undefined;
    this.#advance(meaning.words.length);
    return meaning.value;
  }

  /** Return whether one of several phrases comes next, or so many tokens further. */
  isNext(phrases: Pick<Phrases<unknown>, "meanings">, distance = 0): boolean {
    return this.#meaningOf(phrases, distance) !== undefined;
  }

  /** Read a name; one that the environment does not have is marked, unless it is in quotes. "" if there is none. */
  takeName({ isSeen, isClosed = false, choices }: NameList): string {
    this.expect(choices);
    const token = this.peek();
    if (!token || token.form === "sign" || token.text === "") {
      this.markNext();
      return "";
    }
    if ((token.form === "word" || isClosed) && !isSeen(token.text)) this.markNext();
    else this.#advance(1);
    return token.text;
  }

  /** Read a token of any kind; undefined at the end of the line. */
  takeToken(): Token | undefined {
    const token = this.peek();
    if (token) this.#advance(1);
    return token;
  }

  /** Read a word or a sign of the language; mark what is there in its place. */
  require(word: string): void {
    if (!this.takesWord(word)) this.markNext();
  }

  /** Read a whole number between two bounds; mark what is there in its place. */
  takeCount(least: number, most: number, choices: readonly Choice[]): number {
    this.expect(choices);
    const token = this.peek();
    const count = token?.form === "word" && /^\d+$/.test(token.text) ? Number(token.text) : Number.NaN;
    if (count >= least && count <= most) this.#advance(1);
    else this.markNext();
    return count;
  }

  /** Mark the words that come next and go on behind them; at the end of the line, mark that something is missing. */
  markNext(): void {
    const choiceLists = this.#choiceListsByIndex.get(this.#index) ?? [];
    const isLast = this.marks.length === MAX_MARKS - 1;
    const tokens = this.#tokens.slice(this.#index, isLast ? undefined : this.#index + this.#halfPhraseLength(choiceLists) + 1);
    const start = tokens[0]?.start ?? this.#line.length;
    const end = tokens.at(-1)?.end ?? this.#line.length;
    if (tokens.length === 0 && this.marks.at(-1)?.end === end) return;
    const text = tokens.map((token) => token.text).join(" ");
    this.marks.push({ start, end, choices: similarTexts(choiceLists, text).slice(0, MAX_MARK_CHOICES) });
    this.#index += tokens.length;
  }

  /** Return how many of the words that come next begin one of the choices: "last 7" of "last 7 days". */
  #halfPhraseLength(choiceLists: readonly (readonly Choice[])[]): number {
    const phrases = choiceLists.flatMap((choices) => choices.map(({ text }) => text.split(" ")));
    return Math.max(0, ...phrases.map((words) => words.findIndex((word, offset) => !isWord(this.peek(offset), word))));
  }

  #meaningOf<Value>({ meanings }: Pick<Phrases<Value>, "meanings">, distance: number) {
    return meanings.find(({ words }) => words.every((word, offset) => isWord(this.peek(distance + offset), word)));
  }

  #advance(count: number): void {
    this.#index += count;
    this.knownCount += count;
  }
}

const isWord = (token: Token | undefined, word: string): boolean =>
  token !== undefined && token.form !== "name" && token.text.toLowerCase() === word;
