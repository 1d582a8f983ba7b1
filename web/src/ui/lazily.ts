import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/** Load a component when it is first shown: a dialog, a form. Wrap it in `Suspense`. */
export function lazily<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await load())[name] }));
}
