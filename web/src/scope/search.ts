import { type RangeName, type TimeRange, isRangeName } from "../core/timeRanges.ts";
import { type Filter, filterFromText, filterToText } from "./filters.ts";

/** A query string as pairs of name and values, before any page has checked it. */
export type RawSearch = Record<string, string | string[]>;

/** Parameters that may stand several times. */
const LIST_PARAMETERS = new Set(["f", "id"]);

/** Read a query string: plain text, never JSON, so that `q=12` stays the text "12". */
export function parseSearch(text: string): RawSearch {
  const search: RawSearch = Object.create(null) as RawSearch;
  const pairs = new URLSearchParams(text);
  for (const name of new Set(pairs.keys())) {
    search[name] = LIST_PARAMETERS.has(name) ? pairs.getAll(name) : (pairs.get(name) ?? "");
  }
  return { ...search };
}

/** Write a query string that people can read: only what URLs cannot hold is escaped. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? (value as unknown[]) : [value];
    return values.filter(isWritten).map((entry) => `${encodeParameter(name)}=${encodeParameter(String(entry))}`);
  });
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}

const isWritten = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function encodeParameter(text: string): string {
  return encodeURIComponent(text).replace(/%(3A|2C|2F|7C|40)/g, (code) => decodeURIComponent(code));
}

/** What every page about data carries in its address. Absent means: what is saved, or the page's default. */
export interface ScopeSearch {
  env?: string;
  range?: RangeName;
  from?: string;
  to?: string;
  f?: string[];
  seg?: string;
  /** The workspace that the page belongs to, in an address that was copied. */
  w?: string;
}

/** Take the scope out of a raw search; what is malformed is left out. */
export function scopeSearch(raw: Record<string, unknown>): ScopeSearch {
  const scope: ScopeSearch = {};
  const env = text(raw.env);
  const range = text(raw.range);
  const from = moment(raw.from);
  const to = moment(raw.to);
  const filters = Array.isArray(raw.f) ? raw.f.filter(isFilterText) : [];
  const segmentId = text(raw.seg);
  const workspaceId = text(raw.w);
  if (env) scope.env = env;
  if (from && to && from < to) {
    scope.from = from;
    scope.to = to;
  } else if (range && isRangeName(range)) scope.range = range;
  if (filters.length > 0) scope.f = filters;
  if (segmentId) scope.seg = segmentId;
  if (workspaceId) scope.w = workspaceId;
  return scope;
}

/** Return a parameter if it is a text, else undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Return a parameter if it is one of the words, else undefined. */
export function oneOf<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value);
}

const isFilterText = (value: unknown): value is string => typeof value === "string" && filterFromText(value) !== null;

function moment(value: unknown): string | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Return the time range that a search asks for; undefined if it asks for none. */
export function timeRangeOf(search: ScopeSearch): TimeRange | undefined {
  if (search.from && search.to) return { from: search.from, to: search.to };
  return search.range ? { timeRange: search.range } : undefined;
}

/** Return a search that asks for a time range; the other parameters stay. */
export function withTimeRange<Search extends ScopeSearch>(search: Search, timeRange: TimeRange | undefined): Search {
  const { range: _range, from: _from, to: _to, ...rest } = search;
  if (timeRange === undefined) return rest as Search;
  return ("timeRange" in timeRange ? { ...rest, range: timeRange.timeRange } : { ...rest, ...timeRange }) as Search;
}

/** Return the filters that a search asks for. */
export function filtersOf(search: ScopeSearch): Filter[] {
  return (search.f ?? []).map(filterFromText).filter((filter) => filter !== null);
}

/** Return a search that asks for filters; the other parameters stay. */
export function withFilters<Search extends ScopeSearch>(search: Search, filters: Filter[]): Search {
  const { f: _f, ...rest } = search;
  return (filters.length > 0 ? { ...rest, f: filters.map(filterToText) } : rest) as Search;
}

/** Return the parts of a raw search that a page did not take, as the address has them: they mean nothing there. */
export function droppedParts(raw: RawSearch, search: object): string[] {
  const values = new Map(Object.entries(search));
  return Object.entries(raw).flatMap(([name, value]) => {
    const takenValue = values.get(name) as unknown;
    const droppedValues = Array.isArray(value)
      ? value.filter((part) => !(Array.isArray(takenValue) && takenValue.includes(part)))
      : takenValue === undefined && value !== ""
        ? [value]
        : [];
    return droppedValues.map((part) => `${name}=${part}`);
  });
}

/** Stands for whatever site the app is on. */
const BASE_ADDRESS = "http://here.invalid";

/** Return where to go after signing in: a path of this app, never another site. */
export function appPath(address: string | undefined): string | undefined {
  if (!address?.startsWith("/") || !URL.canParse(address, BASE_ADDRESS)) return undefined;
  const { origin, pathname, search, hash } = new URL(address, BASE_ADDRESS);
  return origin === BASE_ADDRESS && !pathname.startsWith("//") ? pathname + search + hash : undefined;
}

/** Return an address of this app as it leaves it: with the workspace that its page belongs to. */
export function withWorkspace(href: string, workspaceId: string): string {
  const url = new URL(href);
  const search = stringifySearch({ ...parseSearch(url.search), w: workspaceId });
  return url.origin + url.pathname + search + url.hash;
}
