import styles from "./Code.module.css";

const OPEN_TO_DEPTH = 2;

/** A value as JSON. All of it is text; what lies deep is folded. */
export function Json({ value, label = "JSON" }: { value: unknown; label?: string }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable
    <div className={styles.json} role="group" aria-label={label} tabIndex={0}>
      <Node value={value} depth={0} comma="" />
    </div>
  );
}

interface NodeProps {
  value: unknown;
  depth: number;
  name?: string;
  /** The comma after it, or nothing. */
  comma: string;
}

function Node({ value, depth, name, comma }: NodeProps) {
  const key = name === undefined ? null : <span className={styles.key}>{JSON.stringify(name)}: </span>;
  if (typeof value !== "object" || value === null) {
    return (
      <div className={styles.line}>
        {key}
        <span data-type={value === null ? "null" : typeof value === "bigint" ? "number" : typeof value}>
          {typeof value === "bigint" ? String(value) : JSON.stringify(value)}
        </span>
        {comma}
      </div>
    );
  }
  const isList = Array.isArray(value);
  const [openBracket, closeBracket] = isList ? ["[", "]"] : ["{", "}"];
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length === 0) {
    return (
      <div className={styles.line}>
        {key}
        {openBracket + closeBracket + comma}
      </div>
    );
  }
  return (
    <details className={styles.node} open={depth < OPEN_TO_DEPTH}>
      <summary>
        {key}
        {openBracket}
        <span className={styles.folded}>
          {" "}
          {entries.length} {closeBracket}
          {comma}
        </span>
      </summary>
      <div className={styles.inside}>
        {entries.map(([childName, childValue], index) => (
          <Node
            key={childName}
            value={childValue}
            depth={depth + 1}
            comma={index < entries.length - 1 ? "," : ""}
            {...(isList ? {} : { name: childName })}
          />
        ))}
      </div>
      {closeBracket}
      {comma}
    </details>
  );
}
