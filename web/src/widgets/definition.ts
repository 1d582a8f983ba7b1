import type { ComponentType, ReactNode } from "react";
import type { components } from "../api/schema.gen.ts";
import type { Bucket } from "../core/buckets.ts";
import type { Lazily } from "../ui/lazily.ts";
import type { Outline } from "./outline.ts";

type Schemas = components["schemas"];

export type Kind = Schemas["WidgetOut"]["type"];
export type Result = Schemas["Result"];
export type Spot = Schemas["Spot"];
export type Annotation = Schemas["AnnotationOut"];

/** The config of each kind, as the API takes it: what is left out has the API's default. */
export interface Configs {
  metric: Partial<Schemas["MetricConfig"]> & Pick<Schemas["MetricConfig"], "measure">;
  formula: Partial<Schemas["FormulaConfig"]> & Pick<Schemas["FormulaConfig"], "a" | "expression">;
  kpi: Partial<Schemas["KpiConfig"]> & Pick<Schemas["KpiConfig"], "items">;
  table: Partial<Schemas["TableConfig"]> & Pick<Schemas["TableConfig"], "columns">;
  funnel: Partial<Schemas["FunnelConfig"]> & Pick<Schemas["FunnelConfig"], "steps">;
  retention: Partial<Schemas["RetentionConfig"]> & Pick<Schemas["RetentionConfig"], "cohortEvent">;
  histogram: Partial<Schemas["HistogramConfig"]> & Pick<Schemas["HistogramConfig"], "event" | "property">;
  heatmap: Partial<Schemas["HeatmapConfig"]>;
  note: Partial<Schemas["NoteConfig"]> & Pick<Schemas["NoteConfig"], "text">;
  external: Partial<Schemas["ExternalConfig"]> &
    Pick<Schemas["ExternalConfig"], "sourceId" | "url" | "valuePath" | "valueType">;
}

/** The answer of each kind; metrics and formulas have four shapes. */
type Shapes = Schemas["Counter"] | Schemas["Timeseries"] | Schemas["Categorical"] | Schemas["Multiseries"];
export interface Answers {
  metric: Shapes;
  formula: Shapes;
  kpi: Schemas["Kpi"];
  table: Schemas["Table"];
  funnel: Schemas["Funnel"];
  retention: Schemas["Retention"];
  histogram: Schemas["Histogram"];
  heatmap: Schemas["Heatmap"];
  note: Schemas["Note"];
  external: Schemas["External"];
}

/** A widget as the API saves it, as far as a card needs it. */
export interface ShownWidget {
  id: string;
  title: string;
  type: Kind;
  config: object;
  layout: { w: number; h: number };
  /** What is known of its answer, where the config does not tell it. */
  outline?: Outline;
}

export interface ViewProps<K extends Kind> {
  /** What assistive technology calls the chart. */
  title: string;
  config: Configs[K];
  answer: Answers[K];
  /** Height in rows of the grid: 2 is small, 4 medium, 6 large. */
  rowCount: number;
  /** Take over another picture of the same answer, such as lines for a retention table; absent where nothing is saved. */
  onDisplay?: ((display: Partial<Schemas["DisplayOptions"]>) => void) | undefined;
}

/** What an answer comes to, beside its chart. */
export type InsightProps<K extends Kind> = Pick<ViewProps<K>, "config" | "answer">;

export interface FormProps<K extends Kind> {
  config: Configs[K];
  onChange: (config: Configs[K]) => void;
  /** Names that exist in the environment, for the pickers. */
  names: Names;
  /** The time range of the page, as a token for a sentence; forms that stand beside the answer have none. */
  timeRangeToken?: ReactNode;
}

/** A number of an answer, whose actors can be asked for. An answer can have thousands, so only those that are read are written. */
export interface NamedSpot {
  spot: Spot;
  value: number | null;
  /** Say which number it is; "" where the title says it. */
  inWords: () => string;
  /** Write a number as the widget writes its value. */
  format: (value: number | null) => string;
  /** Return the time that it is about; absent if that is the whole time range. */
  bucket?: () => Bucket;
}

/** Numbers that follow each other, such as those of one series. */
export type SpotLine = readonly NamedSpot[];

/** What exists in an environment: event names by count, property keys, registered group keys, sources. */
export interface Names {
  environment: string;
  /** The events and properties have arrived: others were never seen. */
  areKnown: boolean;
  events: { name: string; count: number }[];
  /** How often events came over time, as small pictures by their names; absent until they are needed. */
  eventPictures?: ReadonlyMap<string, ReactNode> | undefined;
  properties: { key: string; types: string[]; examples: unknown[] }[];
  groupKeys: { propKey: string; label: string | null; isDefault: boolean }[];
  segments: { id: string; name: string }[];
  sources: { id: string; name: string; host: string }[];
}

/** An answer as rows of words and numbers: what "View as table" shows and the CSV holds. */
export interface DataTable {
  columns: { label: string; numeric: boolean }[];
  rows: (string | number | bigint | null)[][];
  /** Return whether a number is an id, which has no separators; absent if none is. */
  isIdCell?: ((row: number, column: number) => boolean) | undefined;
}

/** What a new widget begins with; a text is empty where the environment has no such name. */
export interface Start {
  /** The most frequent event. */
  event: string;
  /** The next one; the same where there is no other. */
  nextEvent: string;
  /** The most frequent property with numbers. */
  numberProperty: string;
}

/** Everything the app knows about a kind of widget. */
export interface Definition<K extends Kind> {
  kind: K;
  /** The kind in the words of the editor: "Over time", "Funnel". */
  label: string;
  View: ComponentType<ViewProps<K>> & Partial<Lazily<ViewProps<K>>>;
  /** What stands in the header of the card, such as the key of shades. */
  Aside?: ComponentType<Pick<ViewProps<K>, "config" | "answer">>;
  Form: Lazily<FormProps<K>>;
  /** Its form is a sentence, which stands above the answer; other forms stand beside it. */
  isSentence?: boolean;
  /** What an editor says of the answer below its chart; absent for most kinds. */
  Insight?: Lazily<InsightProps<K>>;
  /** Where an editor begins. */
  initialConfig: (start: Start) => Configs[K];
  /** Return what has to be chosen before the question can be asked, in words; "" if nothing. */
  missingInWords?: (config: Configs[K]) => string;
  /** Columns and rows of the grid that a new widget takes. */
  size: { w: number; h: number };
  /** Return what is known of an answer before it is there. */
  outline: (config: Configs[K]) => Outline;
  /** Return the numbers whose actors can be asked for; absent for kinds without. */
  spots?: (answer: Answers[K], config: Configs[K], timezone: string) => readonly SpotLine[];
  /** Return the answer, where the config alone tells it. */
  knownAnswer?: (config: Configs[K]) => Answers[K];
  /** What is counted, beside the title: "per day", "servers · 7-day window". */
  note: (config: Configs[K], answer: Answers[K]) => string;
  table: (answer: Answers[K], config: Configs[K], timezone: string) => DataTable;
}
