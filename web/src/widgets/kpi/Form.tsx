import { Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "../../ui/Button/Button.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { Sentence, Together } from "../../ui/Tokens/Sentence.tsx";
import { TokenText } from "../../ui/Tokens/tokens.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { DisplayFields, GoodField, NumberField, isDisplayChosen } from "../DisplayFields.tsx";
import { FormActions, FormSection } from "../FormSection.tsx";
import { MoreFields } from "../MoreFields.tsx";
import { anotherEvent } from "../names.ts";
import { CompareToken, FilterTokens, MeasureTokens, SegmentToken } from "../questionTokens.tsx";
import { eventsFieldOf, eventsInWords } from "../words.ts";

type Config = Configs["kpi"];
type Item = Config["items"][number];

const MAX_ITEMS = 6;
const MAX_LABEL_LENGTH = 100;

/** What a strip of numbers asks: a sentence for each number, and one for all of them. */
export function Form({ config, onChange, names, timeRangeToken }: FormProps<"kpi">): ReactNode {
  const { items } = config;
  const [ids, setIds] = useState(() => items.map((_, index) => index));
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const addItem = (): void => {
    setIds([...ids, Math.max(-1, ...ids) + 1]);
    update({ items: [...items, { ...eventsFieldOf(anotherEvent(names, items)), measure: "count" }] });
  };
  const removeItem = (index: number): void => {
    setIds(ids.toSpliced(index, 1));
    update({ items: items.toSpliced(index, 1) });
  };
  return (
    <>
      {items.map((item, index) => (
        <FormSection key={ids[index] ?? index} title={`Number ${index + 1}`} hideTitle>
          <ItemFields
            item={item}
            names={names}
            number={index + 1}
            onChange={(nextItem) => update({ items: items.with(index, nextItem) })}
            onRemove={items.length > 1 ? () => removeItem(index) : undefined}
          />
        </FormSection>
      ))}
      <FormSection>
        {items.length < MAX_ITEMS && (
          <FormActions>
            <Button small icon={Plus} onClick={addItem}>
              Number
            </Button>
          </FormActions>
        )}
        <Sentence>
          All <SegmentToken segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />{" "}
          <Together>over {timeRangeToken}</Together>{" "}
          <CompareToken compare={config.compare} fallback="previous" onChange={(compare) => update({ compare })} />
        </Sentence>
        <MoreFields isUsed={isDisplayChosen(config.display)} subject="all numbers">
          <SwitchField atEnd label="Sparklines" checked={config.sparklines ?? false} onChange={(sparklines) => update({ sparklines })} />
          <DisplayFields display={config.display} onChange={(display) => update({ display })} />
        </MoreFields>
      </FormSection>
    </>
  );
}

interface ItemFieldsProps {
  item: Item;
  names: FormProps<"kpi">["names"];
  /** Its place in the strip, from 1. */
  number: number;
  onChange: (item: Item) => void;
  /** Absent for the only number. */
  onRemove: (() => void) | undefined;
}

function ItemFields({ item, names, number, onChange, onRemove }: ItemFieldsProps): ReactNode {
  return (
    <>
      <Sentence>
        Show <MeasureTokens measurement={item} names={names} onChange={(measurement) => onChange({ ...item, ...measurement })} />{" "}
        <FilterTokens label={`Filters for number ${number}`} filters={item.filters ?? []} names={names} onChange={(filters) => onChange({ ...item, filters })} />{" "}
        <Together>
          as{" "}
          <TokenText
            label="Label"
            isEmpty={!item.label}
            placeholder={eventsInWords(item)}
            value={item.label ?? ""}
            maxLength={MAX_LABEL_LENGTH}
            onChange={(text) => onChange({ ...item, label: text === "" ? null : text })}
          />
        </Together>{" "}
        {onRemove && (
          <Button variant="quiet" small aria-label={`Remove number ${number}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </Sentence>
      <MoreFields isUsed={Boolean(item.good ?? item.goal)} subject={`number ${number}`}>
        <GoodField good={item.good} onChange={(good) => onChange({ ...item, good })} />
        <NumberField label="Goal" value={item.goal ?? null} onChange={(goal) => onChange({ ...item, goal })} />
      </MoreFields>
    </>
  );
}
