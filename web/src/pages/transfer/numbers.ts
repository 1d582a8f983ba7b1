/** An integer with more digits than a double keeps is an id, and an id must stay text. */
const KEPT_DIGITS = 15;
const NUMBER = /^([+-]?)(0|[1-9]\d*|(?=\.))((?:\.\d+)?)((?:[eE][+-]?\d+)?)$/;
const BETWEEN_THOUSANDS = /[.' \u00a0\u202f\u2019]/g;
const WITH_COMMA = /^([+-]?)(\d{1,3}(?:[.' \u00a0\u202f\u2019]\d{3})+|\d+)(?:,(\d+))?$/;
/** A comma that separates no thousands: of 1,5 and 1.234,567 but not of 1,234. */
const CERTAINLY_DECIMAL = /,(?:\d{1,2}|\d{4,})$|[.' \u00a0\u202f\u2019]\d{3},/;

/** Write a number digit for digit, as JSON does, where a double can hold it; else the text, as of a phone number. */
export function numberOrText(text: string): string {
  const match = NUMBER.exec(text);
  const [, sign = "", integer = "", fraction = "", exponent = ""] = match ?? [];
  const isText = !match || integer.length > KEPT_DIGITS || !Number.isFinite(Number(text)) || (sign === "+" && fraction === "");
  return isText ? JSON.stringify(text) : `${sign === "-" ? "-" : ""}${integer || "0"}${fraction}${exponent}`;
}

/** Write a number with a decimal comma, such as `1.234,50`, as JSON does; else the text. */
export function commaNumberOrText(text: string): string {
  const [, sign = "", digits = "", fraction = ""] = WITH_COMMA.exec(text) ?? [];
  const integer = digits.replaceAll(BETWEEN_THOUSANDS, "").replace(/^0+(?=\d)/, "");
  if (integer === "" || integer.length > KEPT_DIGITS) return JSON.stringify(text);
  return `${sign === "-" ? "-" : ""}${integer}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Return whether these texts are numbers with a decimal comma. */
export function haveDecimalCommas(texts: readonly string[]): boolean {
  return texts.every((text) => WITH_COMMA.test(text)) && texts.some((text) => CERTAINLY_DECIMAL.test(text));
}
