import { Outlet } from "@tanstack/react-router";
import { Toasts } from "../ui/Toast/Toasts.tsx";

/** What every page stands in: nothing but the place for messages that pass. */
export function Root() {
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  );
}
