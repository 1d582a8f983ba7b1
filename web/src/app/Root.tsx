import { Outlet } from "@tanstack/react-router";
import { Connection } from "./Connection.tsx";
import { Toasts } from "../ui/Toast/Toasts.tsx";

/** What every page stands in: nothing but the places for messages that pass, and for a lost connection. */
export function Root() {
  return (
    <>
      <Connection />
      <Outlet />
      <Toasts />
    </>
  );
}
