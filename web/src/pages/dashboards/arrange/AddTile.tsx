import { Link } from "@tanstack/react-router";
import { DEFINITIONS } from "../../../widgets/registry.ts";
import styles from "./Arrange.module.css";

/** The last tile while arranging: one button for each kind of widget. */
export function AddTile({ dashboardId }: { dashboardId: string }) {
  return (
    <section className={styles.add} aria-labelledby="add-widget">
      <h2 id="add-widget">Add widget</h2>
      <ul className={styles.kinds}>
        {DEFINITIONS.map(({ kind, label, icon: Icon }) => (
          <li key={kind}>
            <Link
              className={styles.kind}
              to="/d/$id/w/$widgetId"
              params={{ id: dashboardId, widgetId: "new" }}
              search={(current) => ({ ...current, kind })}
            >
              <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
