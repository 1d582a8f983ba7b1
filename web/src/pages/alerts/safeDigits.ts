const SAFE_DIGITS = 12;

/** Round a number to the digits that arithmetic with doubles leaves right: 0.30000000000000004 becomes 0.3. */
export const toSafeDigits = (number: number): number => Number(number.toPrecision(SAFE_DIGITS));
