import { queryOptions } from "@tanstack/react-query";
import { DELETE, GET, PATCH, POST, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
export type Environment = Schemas["EnvironmentOut"];

/** Return what people call an environment; its name if nobody gave it another. */
export function environmentLabel(environments: readonly Pick<Environment, "name" | "displayName">[], name: string): string {
  return environments.find((environment) => environment.name === name)?.displayName ?? name;
}

/** Return the environments as choices; the chosen one is among them even while they load. */
export function environmentChoices(environments: readonly Environment[], currentName: string): { value: string; label: string }[] {
  const names = environments.map(({ name }) => name);
  const shownNames = names.includes(currentName) ? names : [currentName, ...names];
  return shownNames.map((value) => ({ value, label: environmentLabel(environments, value) }));
}

/** The environments of the workspace. */
export const environmentsQuery = queryOptions({
  queryKey: ["/v1/environments"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/environments", { signal }))).environments,
  staleTime: 60_000,
});

const pathParams = (name: string) => ({ params: { path: { name } } });

export const createEnvironment = (body: Schemas["EnvironmentIn"]) => answer(POST("/v1/environments", { body }));
/** Change what people see instead of the name, or for how many days events are kept. Admins only. */
export const changeEnvironment = (name: string, body: Schemas["EnvironmentChange"]) =>
  answer(PATCH("/v1/environments/{name}", { ...pathParams(name), body }));
/** Delete an environment with all of its events. Admins only. */
export const deleteEnvironment = (name: string) => answer(DELETE("/v1/environments/{name}", pathParams(name)));
