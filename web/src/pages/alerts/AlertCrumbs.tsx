import { Link } from "@tanstack/react-router";

/** The way back to the list of alerts. */
export function AlertCrumbs() {
  return <Link to="/alerts">Alerts</Link>;
}
