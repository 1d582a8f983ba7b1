// Writes a .br and a .gz beside each file that was built, where they are smaller than the file.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const built = process.argv[2] ?? new URL("../../src/tallyroom/server/ui/static", import.meta.url).pathname;
const WORTH = /\.(js|css|html|svg)$/;

const forms = {
  ".br": (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  ".gz": (bytes) => gzipSync(bytes, { level: 9 }),
};
for (const name of readdirSync(built, { recursive: true }).filter((each) => WORTH.test(each))) {
  const bytes = readFileSync(`${built}/${name}`);
  for (const [suffix, compress] of Object.entries(forms)) {
    const packed = compress(bytes);
    if (packed.length < bytes.length) writeFileSync(`${built}/${name}${suffix}`, packed);
  }
}
