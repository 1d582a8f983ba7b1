import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useState } from "react";
import { segmentsQuery } from "../../api/segments.ts";
import { DoubtNote } from "../../ui/Combobox/DoubtNote.tsx";
import { Listbox } from "../../ui/Combobox/Listbox.tsx";
import { useCombobox } from "../../ui/Combobox/useCombobox.ts";
import type { Filter } from "../filters.ts";
import styles from "./FilterField.module.css";
import { filterJudge, readFilter, writeFilter } from "./filterText.ts";
import { lastPartsOf, optionsFor } from "./options.ts";
import { useKeyOffer, useValueOffer } from "./useFilterOffer.ts";

export interface FilterInputProps {
  environment: string;
  /** The filter that is changed; null for a new one. */
  filter: Filter | null;
  /** Called with the filter as it is written, and with null if nothing is left of it. */
  onTake: (filter: Filter | null) => void;
  /** Take a segment in place of a filter; without it, none is offered. */
  onChooseSegment: ((id: string) => void) | undefined;
  /** Called at the end, after the filter was taken or withdrawn. */
  onEnd: () => void;
}

const segmentText = (name: string): string => `Segment ${name}`;

/** A filter as one line of text, such as "origin is JFK", with a list of what may come next. */
export function FilterInput({ environment, filter, onTake, onChooseSegment, onEnd }: FilterInputProps) {
  const offer = useKeyOffer(environment);
  const [initialText] = useState(() => (filter ? writeFilter(filter, offer.types) : ""));
  const [text, setText] = useState(initialText);
  const values = useValueOffer(environment, text, offer);
  const { data: allSegments = [] } = useQuery({ ...segmentsQuery, enabled: onChooseSegment !== undefined });
  const segments = onChooseSegment ? allSegments : [];
  const others = segments.map(({ name }) => ({ value: segmentText(name) }));
  const judge = filterJudge(offer.types, offer.keyJudge);
  const segmentOf = (typedText: string) => segments.find(({ name }) => segmentText(name) === typedText);
  const take = (typedText: string) => {
    const segment = segmentOf(typedText);
    const reading = readFilter(typedText, offer.types);
    if (segment) onChooseSegment?.(segment.id);
    else onTake("filter" in reading ? reading.filter : null);
  };
  const combo = useCombobox({
    value: initialText,
    initialText,
    options: [],
    optionsFor: (typedText) => optionsFor(typedText, { ...offer, values, others }, typedText === initialText),
    textJudge: (typedText) => (segmentOf(typedText) ? "taken" : judge(typedText)),
    onChange: take,
    onType: (typedText) => setText(typedText ?? ""),
    onSettle: onEnd,
  });
  const { ref } = combo.inputProps;
  useLayoutEffect(() => {
    const field = ref.current;
    if (!field || !isFocusFree(field)) return;
    field.focus();
    field.setSelectionRange(initialText.length - lastPartsOf(initialText, offer.types).rest.length, initialText.length);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, on arrival
  }, []);
  return (
    <span className={styles.input} data-own-escape style={{ anchorName: combo.anchorName }}>
      <input {...combo.inputProps} aria-label="Filter" placeholder="e.g. plan is pro" />
      {combo.isOpen ? <Listbox label="Filter" combo={combo} /> : null}
      {combo.doubt ? <DoubtNote doubt={combo.doubt} combo={combo} /> : null}
    </span>
  );
}

/** Return whether nothing has the focus, since what opened the field is gone: a dialog then takes it. Elsewhere, it stays. */
function isFocusFree(field: HTMLElement): boolean {
  const { activeElement, body } = document;
  return activeElement === body || activeElement === field.closest("[role=dialog]");
}
