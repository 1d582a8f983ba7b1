const FAILURE = /(?:^|[^a-z])(?:errors?|fail(?:ed|s|ure|ures)?|exceptions?|crash(?:ed|es)?)$/i;

/** Return whether an event's name tells of a failure: `track.error`, `payment_failed`, `Login failure`. */
export const isFailure = (name: string): boolean => FAILURE.test(name);
