import { Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "../../ui/Button/Button.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { CompareField } from "../CompareField.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { DisplayFields, GoodField, NumberField } from "../DisplayFields.tsx";
import { FilterList } from "../FilterList.tsx";
import { FormActions, FormSection } from "../FormSection.tsx";
import { MeasureFields } from "../MeasureFields.tsx";
import { anotherEvent } from "../names.ts";
import { SegmentField } from "../SegmentField.tsx";
import { eventsFieldOf } from "../words.ts";

type Config = Configs["kpi"];
type Item = Config["items"][number];

const MAX_ITEMS = 6;

/** What a strip of numbers asks, number by number. */
export function Form({ config, onChange, names }: FormProps<"kpi">): ReactNode {
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
        <FormSection
          key={ids[index] ?? index}
          title={`Number ${index + 1}`}
          aside={
            items.length > 1 ? (
              <Button variant="quiet" small aria-label={`Remove number ${index + 1}`} onClick={() => removeItem(index)}>
                Remove
              </Button>
            ) : null
          }
        >
          <ItemFields item={item} names={names} label={`Filters for number ${index + 1}`} onChange={(nextItem) => update({ items: items.with(index, nextItem) })} />
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
        <SegmentField segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />
        <CompareField compare={config.compare} fallback="previous" onChange={(compare) => update({ compare })} />
        <SwitchField atEnd label="Sparklines" checked={config.sparklines ?? false} onChange={(sparklines) => update({ sparklines })} />
        <DisplayFields display={config.display} onChange={(display) => update({ display })} />
      </FormSection>
    </>
  );
}

interface ItemFieldsProps {
  item: Item;
  names: FormProps<"kpi">["names"];
  label: string;
  onChange: (item: Item) => void;
}

function ItemFields({ item, names, label, onChange }: ItemFieldsProps): ReactNode {
  return (
    <>
      <MeasureFields measurement={item} names={names} onChange={(measurement) => onChange({ ...item, ...measurement })} />
      <TextField label="Label" placeholder={item.event ?? ""} value={item.label ?? ""} maxLength={100} onChange={(text) => onChange({ ...item, label: text === "" ? null : text })} />
      <FilterList label={label} filters={item.filters ?? []} names={names} onChange={(filters) => onChange({ ...item, filters })} />
      <GoodField good={item.good} onChange={(good) => onChange({ ...item, good })} />
      <NumberField label="Goal" value={item.goal ?? null} onChange={(goal) => onChange({ ...item, goal })} />
    </>
  );
}
