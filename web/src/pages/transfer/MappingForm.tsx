import { useQuery } from "@tanstack/react-query";
import { environmentChoices, environmentsQuery } from "../../api/environments.ts";
import { CheckField } from "../../ui/Field/CheckField.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import { type Mapping, ROLES, type Role, columnOf, withRole } from "./mapping.ts";
import styles from "./MappingForm.module.css";
import { UNITS, type Unit } from "./timestamps.ts";
import type { SampleColumn } from "./sample.ts";

const UNIT_WORDS: Record<Unit, string> = {
  auto: "Detect automatically",
  iso: "ISO 8601",
  s: "Unix seconds",
  ms: "Unix milliseconds",
  us: "Unix microseconds",
  ns: "Unix nanoseconds",
};

export interface MappingFormProps {
  columns: readonly SampleColumn[];
  mapping: Mapping;
  onMapping: (mapping: Mapping) => void;
  environment: string;
  onEnvironment: (environment: string) => void;
  /** Of the workspace. */
  timezone: string;
  /** Whether events of a file without times get the time of the import. */
  takesImportTime: boolean;
  onTakesImportTime: (takesImportTime: boolean) => void;
}

/** Which column becomes what, and what holds for every row. */
export function MappingForm(props: MappingFormProps) {
  const { columns, mapping, onMapping, environment, onEnvironment, timezone, takesImportTime, onTakesImportTime } = props;
  const { data: environments = [] } = useQuery(environmentsQuery);
  const { roleByColumn, event, unit, rowTimezone } = mapping;
  const hasTime = columnOf(roleByColumn, "timestamp") !== undefined;
  const timezoneChoices = [...new Set(["", timezone === "UTC" ? "" : timezone])];
  return (
    <div className={styles.form}>
      <div className={styles.fields}>
        <SelectField label="Environment" value={environment} onChange={onEnvironment} options={environmentChoices(environments, environment)} />
        <TextField
          label="Event name"
          value={event}
          onChange={(text) => onMapping({ ...mapping, event: text })}
          maxLength={128}
          hint={
            columnOf(roleByColumn, "name") === undefined
              ? "Used for every event, unless a column contains the name."
              : "Used for rows whose name column is empty."
          }
        />
        {hasTime ? (
          <>
            <SelectField
              label="Time format"
              value={unit}
              onChange={(choice) => onMapping({ ...mapping, unit: choice as Unit })}
              options={UNITS.map((value) => ({ value, label: UNIT_WORDS[value] }))}
            />
            {timezoneChoices.length > 1 ? (
              <SelectField
                label="Times without an offset are in"
                value={rowTimezone}
                onChange={(choice) => onMapping({ ...mapping, rowTimezone: choice })}
                options={timezoneChoices.map((value) => ({ value, label: value || "UTC" }))}
                hint={`Charts count days in ${timezone}.`}
              />
            ) : null}
          </>
        ) : (
          <CheckField
            label="Give every event the time of the import"
            hint="No column has the time of the events. If one does, choose “Time” for it."
            checked={takesImportTime}
            onChange={onTakesImportTime}
          />
        )}
      </div>
      <RoleTable
        columns={columns}
        roleByColumn={roleByColumn}
        onRoles={(nextRoles) => onMapping({ ...mapping, roleByColumn: nextRoles })}
      />
    </div>
  );
}

interface RoleTableProps {
  columns: readonly SampleColumn[];
  roleByColumn: ReadonlyMap<string, Role>;
  onRoles: (roleByColumn: ReadonlyMap<string, Role>) => void;
}

function RoleTable({ columns, roleByColumn, onRoles }: RoleTableProps) {
  const tableColumns: Column<SampleColumn>[] = [
    { key: "column", label: "Column", render: ({ name }) => <span className={styles.column}>{name}</span> },
    {
      key: "example",
      label: "First value",
      hideBelow: 600,
      render: ({ example }) => <code className={styles.example}>{example || "–"}</code>,
    },
    {
      key: "role",
      label: "Becomes",
      width: 220,
      render: ({ name }) => (
        <SelectField
          label={`${name} becomes`}
          hideLabel
          small
          value={roleByColumn.get(name) ?? "property"}
          onChange={(role) => onRoles(withRole(roleByColumn, name, role as Role))}
          options={Object.entries(ROLES).map(([value, label]) => ({ value, label }))}
        />
      ),
    },
  ];
  return <Table label="Columns" columns={tableColumns} rows={columns} rowKey={({ name }) => name} dense />;
}
