"""A few screens against approved pictures, with tolerance; `make bless` records them anew, for eyes to review."""

import os
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from companion.screens.gallery.scenes import scenes
from tests.screens.stage import TALL, WIDE, Stage

pytestmark = pytest.mark.screens

PICTURES = Path(__file__).parent / "pictures"
SIZES = {"wide": WIDE, "tall": TALL}
CHOSEN = (
    ("colony", "wide"), ("colony", "tall"), ("colony-worst", "wide"), ("dialog-owner", "wide"), ("summary-4", "wide"),
    ("setup-managers", "tall"), ("ending", "wide"), ("detail-status", "wide"),
    ("firmware-sending", "wide"), ("firmware-modules", "tall"),
)  # fmt: skip
MEAN_OFF = 0.3
"""Mean difference over the picture, of 255."""
SHARE_OFF = 0.001
"""Share of pixels that differ by more than 32: another driver smooths edges otherwise."""
ALL = {scene.name: scene for scene in scenes()}


def differs(approved: Image.Image, seen: Image.Image) -> bool:
    off = ImageChops.difference(approved.convert("RGB"), seen).convert("L")
    share = sum(off.histogram()[33:]) / (off.width * off.height)
    return ImageStat.Stat(off).mean[0] > MEAN_OFF or share > SHARE_OFF


@pytest.mark.parametrize(("name", "side"), CHOSEN)
def test_looks_as_approved(stage: Stage, name: str, side: str) -> None:
    seen = stage.play(ALL[name], SIZES[side], is_fresh=True).picture()
    path = PICTURES / f"{name}-{side}.png"
    if os.environ.get("BLESS"):
        PICTURES.mkdir(exist_ok=True)
        seen.quantize(255, dither=Image.Dither.NONE).save(path, optimize=True)
        return
    assert path.exists(), f"no approved picture {path.name}: record it with `make bless` and look at it"
    approved = Image.open(path)
    assert approved.size == seen.size
    if differs(approved, seen):
        found = Path("build") / "pictures" / path.name
        found.parent.mkdir(parents=True, exist_ok=True)
        seen.save(found)
        pytest.fail(f"{path.name} looks different; see {found}")


def test_a_changed_level_is_seen(stage: Stage) -> None:
    good = stage.play(ALL["colony"], is_fresh=True).picture()
    assert not differs(good, stage.play(ALL["colony"], is_fresh=True).picture())
    assert differs(good, stage.play(ALL["colony-worst"]).picture())
    ring = stage.play(ALL["colony"], is_fresh=True).find_where(
        lambda one: getattr(one, "steps", 0) == 2 and hasattr(one, "opening")
    )
    ring.steps = 4
    stage.settle()
    assert differs(good, stage.picture())


def test_pictures_are_small() -> None:
    assert all(path.stat().st_size < 200_000 for path in PICTURES.glob("*.png"))
