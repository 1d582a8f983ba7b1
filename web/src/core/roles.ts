/** The four roles of members, from the one who may only look to the one who may do everything. */
export const ROLES = ["viewer", "developer", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/** Return whether a role may do what needs at least another. */
export const mayAct = (role: Role, minimum: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(minimum);
