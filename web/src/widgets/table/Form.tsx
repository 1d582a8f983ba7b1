import { ChevronUp, X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { Combobox } from "../../ui/Combobox/Combobox.tsx";
import { Sentence, Together } from "../../ui/Tokens/Sentence.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { NumberField } from "../DisplayFields.tsx";
import { FormPair, FormSection } from "../FormSection.tsx";
import { columnsOf } from "../names.ts";
import { EventToken, FilterTokens, SegmentToken } from "../questionTokens.tsx";
import styles from "./Form.module.css";
import { headOf } from "./shape.ts";

type Config = Configs["table"];

const MAX_COLUMNS = 12;
const DEFAULT_ROW_COUNT = 25;

/** What a table of events asks: which events, and which columns it shows of them. */
export function Form({ config, onChange, names, timeRangeToken }: FormProps<"table">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const { columns } = config;
  const unusedColumns = columnsOf(names).filter(({ value }) => !columns.includes(value));
  return (
    <>
      <Sentence isLarge>
        Show the newest <EventToken selection={config} names={names} onChange={update} />{" "}
        <FilterTokens filters={config.filters ?? []} names={names} onChange={(filters) => update({ filters })} />{" "}
        <SegmentToken segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />{" "}
        <Together>over {timeRangeToken}</Together>
      </Sentence>
      <FormSection title="Columns">
        <ColumnList columns={columns} onChange={(nextColumns) => update({ columns: nextColumns })} />
        <FormPair>
          {columns.length < MAX_COLUMNS && (
            <Combobox label="Add a column" placeholder="time, actor or a property" value="" options={unusedColumns} onChange={(value) => value !== "" && !columns.includes(value) && update({ columns: [...columns, value] })} />
          )}
          <NumberField
            label="Rows"
            min={1}
            max={100}
            value={config.rows ?? DEFAULT_ROW_COUNT}
            onChange={(rows) => rows !== null && update({ rows })}
          />
        </FormPair>
      </FormSection>
    </>
  );
}

function ColumnList({ columns, onChange }: { columns: readonly string[]; onChange: (columns: string[]) => void }): ReactNode {
  return (
    <ol className={styles.columns}>
      {columns.map((column, index) => (
        <li key={column}>
          <span>{headOf(column)}</span>
          {index > 0 && <IconButton label={`Move ${headOf(column)} up`} icon={ChevronUp} small onClick={() => onChange(columns.toSpliced(index, 1).toSpliced(index - 1, 0, column))} />}
          {columns.length > 1 && <IconButton label={`Remove ${headOf(column)}`} icon={X} small onClick={() => onChange(columns.toSpliced(index, 1))} />}
        </li>
      ))}
    </ol>
  );
}
