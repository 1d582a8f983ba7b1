import type { Widget } from "../../api/widgets.ts";
import type { Definition, Kind, Start } from "../../widgets/definition.ts";

/** A widget while somebody edits it. Each kind keeps its own config, so that a look at another kind loses nothing. */
export interface Draft {
  kind: Kind;
  title: string;
  configByKind: Partial<Record<Kind, object>>;
  /** Of a new widget that of its kind; a saved one keeps its own. */
  layout: { w: number; h: number };
  isNew: boolean;
  ignoreDashboardFilters: boolean;
  /** Of a table; other kinds have no rows. */
  publishRows: boolean;
}

export type DraftAction =
  | { type: "title"; title: string }
  | { type: "config"; config: object }
  | { type: "kind"; definition: Definition<Kind>; start: Start }
  | { type: "draw"; definition: Definition<Kind>; config: object }
  | { type: "ignoreDashboardFilters" | "publishRows"; isOn: boolean };

/** Return the draft after an action. */
export function draftAfter(draft: Draft, action: DraftAction): Draft {
  switch (action.type) {
    case "title":
      return { ...draft, title: action.title };
    case "config":
      return { ...draft, configByKind: { ...draft.configByKind, [draft.kind]: action.config } };
    case "kind":
      return withKind(draft, action.definition, draft.configByKind[action.definition.kind] ?? action.definition.initialConfig(action.start));
    case "draw":
      return withKind(draft, action.definition, action.config);
    case "ignoreDashboardFilters":
      return { ...draft, ignoreDashboardFilters: action.isOn };
    case "publishRows":
      return { ...draft, publishRows: action.isOn };
  }
}

/** A new widget takes the size of another kind, a saved one keeps its own. */
function withKind(draft: Draft, { kind, size }: Definition<Kind>, config: object): Draft {
  const layout = draft.isNew && kind !== draft.kind ? size : draft.layout;
  return { ...draft, kind, layout, configByKind: { ...draft.configByKind, [kind]: config } };
}

/** Return the draft of a saved widget. */
export function draftOf({ type, title, config, layout, ignoreDashboardFilters, publishRows }: Widget): Draft {
  return { kind: type, title, configByKind: { [type]: config }, layout, isNew: false, ignoreDashboardFilters, publishRows };
}

/** Return the draft of a widget that does not exist yet. */
export function newDraft(definition: Definition<Kind>, start: Start): Draft {
  const { kind, initialConfig, size } = definition;
  return { kind, title: "", configByKind: { [kind]: initialConfig(start) }, layout: size, isNew: true, ignoreDashboardFilters: false, publishRows: false };
}

/** Return under what subject the draft of a new widget is kept. */
export const subjectOfNew = (dashboardId: string, kind: Kind): string => `widget new ${dashboardId} ${kind}`;

/** Return what of a draft is saved: configs of kinds that were only looked at are not, nor is the size. */
export function essenceOf(draft: Draft): unknown {
  const { kind, title, ignoreDashboardFilters, publishRows } = draft;
  return { kind, title, config: configOf(draft), ignoreDashboardFilters, publishRows };
}

/** Return the config that a draft stands for. */
export function configOf(draft: Draft): object {
  return draft.configByKind[draft.kind] ?? {};
}
