/** Return the filled cells of the pattern of a seed as column and row, 0 to 4; left and right mirror each other. */
export function patternOf(seed: string): (readonly [number, number])[] {
  const bits = hashOf(seed);
  const cells: (readonly [number, number])[] = [];
  for (let bitIndex = 0; bitIndex < 15; bitIndex += 1) {
    if (((bits >>> bitIndex) & 1) === 0) continue;
    const column = bitIndex % 3;
    const row = Math.floor(bitIndex / 3);
    cells.push([column, row]);
    if (column < 2) cells.push([4 - column, row]);
  }
  return cells;
}

/** FNV-1a, then mixed so that neighbours such as "1" and "2" look different. */
function hashOf(seed: string): number {
  let hash = 0x811c9dc5;
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
