import { type ComponentType, createElement, lazy, useState } from "react";

/** A component that is loaded when it is first shown, or before by `load`. */
export type Lazily<Props> = ComponentType<Props> & { load: () => Promise<unknown> };

/**
 * Load a component when it is first shown: a dialog, a form. Wrap it in `Suspense`.
 *
 * What `load` has brought before is shown at once, while React holds back for up to 300 ms what it had to wait for.
 */
export function lazily<Name extends string, Props extends object>(
  importModule: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): Lazily<Props> {
  let component: ComponentType<Props> | undefined;
  const load = async () => ({ default: (component = (await importModule())[name]) });
  const LazyComponent = lazy(load) as unknown as ComponentType<Props>;
  // What is shown once stays the same component, else its state would be lost when `component` comes.
  function Lazily(props: Props) {
    const [Shown] = useState(() => component ?? LazyComponent);
    return createElement(Shown, props);
  }
  return Object.assign(Lazily, { load });
}
