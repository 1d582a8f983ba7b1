"""Makes the emoji that travel with the program (src/tallyroom/images/charts/fonts/NotoEmoji-Regular.ttf.zst).

    npm pack @expo-google-fonts/noto-emoji@0.4.7
    tar xzf expo-google-fonts-noto-emoji-0.4.7.tgz
    .venv/bin/python typefaces/noto_emoji.py package/400Regular/NotoEmoji_400Regular.ttf

All emoji stay, with their sequences. What goes is what pictures have no use for: hints, vertical writing, and precision
beyond a 256th of their size, which takes the file from 890 to 390 kB.
"""

import io
import sys
from pathlib import Path
from typing import Any

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

from tallyroom.core.zstd import zstd

TARGET_PATH = Path(__file__).parents[1] / "src/tallyroom/images/charts/fonts/NotoEmoji-Regular.ttf.zst"
UNITS_PER_EM = 256
COMPRESSION_LEVEL = 22
UNUSED_TABLES = ("GDEF", "STAT", "gasp", "vhea", "vmtx")


def build_typeface(source: Path) -> bytes:
    """The typeface, with ligatures as its only substitutions."""
    font = TTFont(source, recalcTimestamp=False)
    _keep_ligatures(font["GSUB"].table)
    options = Options()
    options.hinting = options.glyph_names = False
    options.recalc_timestamp = False
    options.layout_features = ["*"]
    options.drop_tables += UNUSED_TABLES
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap())
    subsetter.subset(font)
    scale_upem(font, UNITS_PER_EM)
    font_buffer = io.BytesIO()
    font.save(font_buffer)
    return font_buffer.getvalue()


def _keep_ligatures(table: Any) -> None:
    """The first lookup has them; the others draw what is no emoji as a flag with a question mark."""
    table.LookupList.Lookup = table.LookupList.Lookup[:1]
    table.LookupList.LookupCount = 1
    for record in table.FeatureList.FeatureRecord:
        record.Feature.LookupListIndex = [0]
        record.Feature.LookupCount = 1


if __name__ == "__main__":
    TARGET_PATH.write_bytes(zstd.compress(build_typeface(Path(sys.argv[1])), level=COMPRESSION_LEVEL))
