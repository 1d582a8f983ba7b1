const LONG_ID = /^[\da-f-]{13,}$/i;
const END_LENGTH = 4;

/** Write a key within a sentence: a long id without its middle, `1000…0013`, as ids differ at their ends; a name whole. */
export const shortKey = (key: string): string => (LONG_ID.test(key) ? `${key.slice(0, END_LENGTH)}…${key.slice(-END_LENGTH)}` : key);
