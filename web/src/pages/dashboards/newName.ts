import type { Dashboard } from "../../api/dashboards.ts";

/** What a blank dashboard is called until somebody names it. */
export const NEW_NAME = "New dashboard";

/** Return whether nobody has named a dashboard yet, or put anything on it. */
export const isUnnamed = ({ name, widgets }: Pick<Dashboard, "name" | "widgets">): boolean => name === NEW_NAME && widgets.length === 0;
