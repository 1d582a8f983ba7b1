import type { Unit } from "./timestamps.ts";

/** What a column becomes. */
export const ROLES = {
  name: "Event name",
  timestamp: "Time",
  actor: "Actor",
  label: "Actor label",
  source: "Source",
  properties: "Properties (an object)",
  property: "Property",
  text: "Property, kept as text",
  comma: "Property, decimal comma",
  ignore: "Ignored",
} as const;
export type Role = keyof typeof ROLES;

/** The roles that one column has at most. */
const SINGLE_ROLES = new Set<Role>(["name", "timestamp", "actor", "label", "source", "properties"]);

/** How rows become events. A column that is not among the roles becomes a property. */
export interface Mapping {
  roleByColumn: ReadonlyMap<string, Role>;
  /** The name of every event, or of those whose name is empty. */
  event: string;
  unit: Unit;
  /** Of times without an offset; UTC when it is empty. */
  rowTimezone: string;
}

/** A mapping as a browser can keep it. */
export type MappingDraft = Omit<Mapping, "roleByColumn"> & { roles: [string, Role][] };

export const draftOf = ({ roleByColumn, ...rest }: Mapping): MappingDraft => ({ ...rest, roles: [...roleByColumn] });
export const mappingOf = ({ roles, ...rest }: MappingDraft): Mapping => ({ ...rest, roleByColumn: new Map(roles) });

/** Tallyroom's own names, as its export writes them. */
const ROLE_BY_OWN_NAME: Record<string, Role> = {
  name: "name",
  _timestamp: "timestamp",
  _actor: "actor",
  _actorLabel: "label",
  _source: "source",
  properties: "properties",
};

/** What columns of other products and tables are called, the most telling first. */
const USUAL_NAMES: [Role, string[]][] = [
  ["name", ["event", "event_name", "eventname", "action", "event_type", "type"]],
  ["timestamp", ["timestamp", "time", "created_at", "createdat", "occurred_at", "event_time", "datetime", "date", "ts", "at"]],
  [
    "actor",
    [
      ...["actor", "user_id", "userid", "distinct_id", "customer_id", "customerid", "account_id", "member_id"],
      ...["user", "customer", "user_email", "customer_email", "email"],
    ],
  ],
  ["label", ["actor_label", "user_name", "username", "customer_name", "display_name"]],
  ["source", ["source", "service"]],
];

/** How a column's name ends that has a time: of "Order date" and "paid_at". */
const TIME_NAME_PATTERN = /_(?:at|date|time|timestamp)$/;

/** Write a column's name as programs do: "Order date" as `order_date`. */
const normalizeName = (column: string): string => column.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "_");

/**
 * Guess what columns become: from their names, and where these say nothing from their values.
 *
 * @param commaColumns columns whose numbers have a decimal comma.
 * @param timeColumns columns whose values are dates with a time of day.
 */
export function guessRoles(
  columns: readonly string[],
  commaColumns: ReadonlySet<string> = new Set(),
  timeColumns: ReadonlySet<string> = new Set(),
): Map<string, Role> {
  const roleByColumn = new Map<string, Role>(columns.map((column) => [column, Object.hasOwn(ROLE_BY_OWN_NAME, column) ? (ROLE_BY_OWN_NAME[column] ?? "property") : "property"]));
  const usedRoles = new Set(roleByColumn.values());
  for (const [role, names] of USUAL_NAMES) {
    const freeColumns = columns.filter((column) => roleByColumn.get(column) === "property");
    const matches = names.map((name) => freeColumns.find((column) => normalizeName(column) === name));
    const column = matches.find((match) => match !== undefined) ?? (role === "timestamp" ? guessTimeColumn(freeColumns, timeColumns) : undefined);
    if (column !== undefined && !usedRoles.has(role)) roleByColumn.set(column, role);
  }
  for (const column of commaColumns) if (roleByColumn.get(column) === "property") roleByColumn.set(column, "comma");
  return roleByColumn;
}

function guessTimeColumn(columns: readonly string[], timeColumns: ReadonlySet<string>): string | undefined {
  return columns.find((column) => TIME_NAME_PATTERN.test(normalizeName(column))) ?? columns.find((column) => timeColumns.has(column));
}

/** Name the events of a file that has no column with their names, after the file: "Orders 2026.csv" as `orders_2026`. */
export const eventNameOf = (fileName: string): string => normalizeName(fileName.replace(/\.\w+$/, "")).replaceAll(/^_+|_+$/g, "").slice(0, 128);

/** Give a column another role; one that had it before, where there can be one only, becomes a property. */
export function withRole(roleByColumn: ReadonlyMap<string, Role>, column: string, role: Role): Map<string, Role> {
  const entries = [...roleByColumn].map(([name, oldRole]): [string, Role] => [
    name,
    oldRole === role && SINGLE_ROLES.has(role) ? "property" : oldRole,
  ]);
  return new Map([...entries, [column, role]]);
}

/** Return the column that has a role that one column has at most. */
export function columnOf(roleByColumn: ReadonlyMap<string, Role>, role: Role): string | undefined {
  return [...roleByColumn].find(([, columnRole]) => columnRole === role)?.[0];
}

/** Return whether rows are events in Tallyroom's own shape, so that a line of JSON can be sent as it is written. */
export function isOwnShape({ roleByColumn, event, unit, rowTimezone }: Mapping): boolean {
  const hasOwnNames = [...roleByColumn].every(([column, role]) => Object.hasOwn(ROLE_BY_OWN_NAME, column) && ROLE_BY_OWN_NAME[column] === role);
  return hasOwnNames && roleByColumn.has("name") && event === "" && unit === "auto" && rowTimezone === "";
}
