import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import subsetFont from "subset-font";

const PACKAGE = resolve(import.meta.dirname, "node_modules/inter-ui");
const TARGET = resolve(import.meta.dirname, "src/ui/typeface");

/** The characters of each file, as src/ui/typeface.css says; a page loads the second file once it shows one of them. */
const CHARACTERS_BY_FILE = {
  "inter-latin.woff2": /[ -~\u00a0-\u00ff\u0152\u0153\u0178\u2009\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u202f\u20ac\u2190-\u2193\u2212\u2264\u2265\u22ef]/u,
  "inter-latin-ext.woff2": /[\u0100-\u0151\u0154-\u0177\u0179-\u017f\u0218-\u021b\u1e9e]/u,
};
const CODE_COUNT = 0x2300;

const OPTIONS = {
  targetFormat: "woff2",
  // The weights that the styles name, in the shapes that are made for text.
  variationAxes: { wght: { min: 400, max: 600 }, opsz: 14 },
  // Figures of one width, close pairs, accents; nothing that would draw "->" as an arrow.
  keepFeatures: ["tnum", "kern", "ccmp", "mark"],
  noHinting: true,
} as const;

/** Cut the typeface of the app out of the whole of Inter, which is ten times as large. */
export async function writeTypeface(): Promise<void> {
  const wholeFont = readFileSync(`${PACKAGE}/variable/InterVariable.woff2`);
  const characters = Array.from({ length: CODE_COUNT }, (_, code) => String.fromCodePoint(code));
  mkdirSync(TARGET, { recursive: true });
  for (const [name, wanted] of Object.entries(CHARACTERS_BY_FILE)) {
    const text = characters.filter((character) => wanted.test(character)).join("");
    writeFileSync(`${TARGET}/${name}`, await subsetFont(wholeFont, text, OPTIONS));
  }
}

/** Return the license that goes along with the typeface. */
export const typefaceLicense = (): string => readFileSync(`${PACKAGE}/LICENSE.txt`, "utf8");
