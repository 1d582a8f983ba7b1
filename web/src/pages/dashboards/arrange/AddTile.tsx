import { Link } from "@tanstack/react-router";
import type { Kind } from "../../../widgets/definition.ts";
import { KIND_ICONS } from "../../../widgets/icons.ts";
import { DEFINITIONS } from "../../../widgets/registry.ts";
import styles from "./Arrange.module.css";

/** The last tile while arranging: one button for each kind of widget. */
export function AddTile({ dashboardId }: { dashboardId: string }) {
  return (
    <section className={styles.add} aria-labelledby="add-widget">
      <h2 id="add-widget">Add widget</h2>
      <ul className={styles.kinds}>
        {DEFINITIONS.map(({ kind, label }) => (
          <li key={kind}>
            <Link
              className={styles.kind}
              to="/d/$id/w/$widgetId"
              params={{ id: dashboardId, widgetId: "new" }}
              search={(current) => ({ ...current, kind })}
            >
              <KindIcon kind={kind} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function KindIcon({ kind }: { kind: Kind }) {
  const Icon = KIND_ICONS[kind];
  return <Icon size={16} strokeWidth={1.6} aria-hidden="true" />;
}
