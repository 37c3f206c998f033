"""Makes the fonts in this folder from published packages; a tool for maintainers, needs fontTools and npm.

Run `python build_assets.py FOLDER` after `npm pack @fontsource/barlow @fontsource/rajdhani @mdi/font` in FOLDER.
"""

import json
import re
import sys
import tarfile
import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent

TEXT_FONTS = {
    "Barlow-Medium": ("barlow", 500),
    "Barlow-SemiBold": ("barlow", 600),
    "Rajdhani-Bold": ("rajdhani", 700),
}

TRIANGLES = (
    ("uni25B2", 0x25B2, ((50, 60), (310, 610), (570, 60))),
    ("uni25BC", 0x25BC, ((50, 610), (570, 610), (310, 60))),
)
"""Up and down of a status, which the card texts use and the published fonts lack."""

ICON_NAMES = (Path(__file__).parent / "icon-names.txt").read_text().split()


def main(folder: str) -> None:
    with tempfile.TemporaryDirectory() as unpacked:
        for archive in Path(folder).glob("*.tgz"):
            with tarfile.open(archive) as tar:
                tar.extractall(Path(unpacked) / re.sub(r"-[\d.]+\.tgz$", "", archive.name), filter="data")
        for name, (family, weight) in TEXT_FONTS.items():
            build_text_font(Path(unpacked) / f"fontsource-{family}/package", family, weight, HERE / f"{name}.ttf")
        build_icons(Path(unpacked) / "mdi-font/package")


def build_text_font(package: Path, family: str, weight: int, target: Path) -> None:
    """Both scripts in one file, since Kivy has no font fallback, with figures of equal width where the font has them."""
    plain: list[str] = []
    for script in ("latin", "latin-ext"):
        font = TTFont(package / f"files/{family}-{script}-{weight}-normal.woff")
        if script == "latin":
            bake_tabular_figures(font)
        font.flavor = None
        path = target.with_suffix(f".{script}.tmp")
        font.save(path)
        plain.append(str(path))
    merged = Merger().merge(plain)
    drop_layout_tables(merged)
    for name, code, corners in TRIANGLES:
        add_polygon(merged, name, code, corners)
    merged.save(target)
    for file in plain:
        Path(file).unlink()


def bake_tabular_figures(font: TTFont) -> None:
    """SDL_ttf ignores OpenType features, so the `tnum` figures take the place of the proportional ones."""
    if "GSUB" not in font:
        return
    table = font["GSUB"].table
    swaps: dict[str, str] = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "tnum":
            for index in record.Feature.LookupListIndex:
                for sub in table.LookupList.Lookup[index].SubTable:
                    swaps.update(getattr(getattr(sub, "ExtSubTable", sub), "mapping", {}))
    for cmap in font["cmap"].tables:
        for code, glyph in list(cmap.cmap.items()):
            if glyph in swaps and chr(code).isdigit():
                cmap.cmap[code] = swaps[glyph]


def add_polygon(font: TTFont, name: str, code: int, corners: tuple[tuple[int, int], ...]) -> None:
    pen = TTGlyphPen(None)
    pen.moveTo(corners[0])
    for corner in corners[1:]:
        pen.lineTo(corner)
    pen.closePath()
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"][name] = pen.glyph()
    font["hmtx"][name] = (620, 50)
    for cmap in font["cmap"].tables:
        if cmap.isUnicode():
            cmap.cmap[code] = name


def drop_layout_tables(font: TTFont) -> None:
    """What SDL_ttf never reads; kerning (GPOS) stays."""
    for tag in ("GSUB", "GDEF", "DSIG"):
        if tag in font:
            del font[tag]


def build_icons(package: Path) -> None:
    css = (package / "css/materialdesignicons.css").read_text()
    known = {m[1]: int(m[2], 16) for m in re.finditer(r'\.mdi-([\w-]+)::before\s*{\s*content:\s*"\\(\w+)"', css)}
    missing = [name for name in ICON_NAMES if name not in known]
    if missing:
        raise SystemExit(f"icon-names.txt: not in this icon font: {', '.join(missing)}")
    codes = {name: known[name] for name in sorted(ICON_NAMES)}
    font = TTFont(package / "fonts/materialdesignicons-webfont.ttf")
    options = Options(hinting=False, name_IDs=[0, 1, 2, 13, 14], layout_features=[])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=codes.values())
    subsetter.subset(font)
    font.save(HERE / "icons.ttf")
    (HERE / "icons.json").write_text(json.dumps(codes, indent=0) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
