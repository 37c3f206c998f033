"""What the window knows of the desk: the state it got first, and every change since. Pure."""

from typing import Any

from firmware.desk.window.places import ARC, Loop, Place, Plug, Spot, arrange, free_loops, free_spots

Rgb = tuple[int, int, int]


class Scene:
    """Take `load` once and `change` for each change; read the attributes."""

    def __init__(self) -> None:
        self.things: list[dict[str, str]] = []
        self.modules: list[dict[str, Any]] = []
        self.roof: list[str] = []
        self.plugs: list[Plug] = []
        self.lights: dict[str, Rgb] = {}
        self.powered: set[str] = set()
        self.beeps = 0
        self.battery_mv = 0
        self.places: dict[str, Place] = {ARC: Place((0, 0), 0)}
        self.spots: list[Spot] = []
        self.loops: list[Loop] = []

    def load(self, state: dict[str, Any], things: list[dict[str, str]], modules: list[dict[str, Any]]) -> None:
        self.things, self.modules = things, modules
        self.roof = state["roof"]
        self.beeps = state["beeps"]
        self.battery_mv = state["battery_mv"]
        self.powered = {name for name, board in state["boards"].items() if board["is_on"]}
        self.lights = {name: _rgb(board["light"]) for name, board in state["boards"].items()}
        self._replug(state["plugs"])

    def change(self, change: dict[str, Any]) -> None:
        """One change as the control socket tells it; kinds that the window does not draw are passed over."""
        match change["change"]:
            case "roof":
                self.roof = change["things"]
            case "plugs":
                self._replug(change["plugs"])
            case "light":
                self.lights[change["board"]] = _rgb(change["light"])
            case "beep":
                self.beeps = change["count"]
            case "battery":
                self.battery_mv = change["level_mv"]
            case "started":
                self.powered.add(change["board"])
            case "stopped":
                self.powered.discard(change["board"])
                self.lights[change["board"]] = (0, 0, 0)

    @property
    def is_arc_on(self) -> bool:
        return ARC in self.powered

    def title_of(self, name: str) -> str:
        """How people call a miniature or a thing of the tray."""
        for row in (*self.modules, *self.things):
            if row["name"] == name:
                return str(row["title"])
        return name

    def in_box(self) -> list[dict[str, Any]]:
        """The miniatures that are not on the table."""
        return [row for row in self.modules if row["name"] not in self.places]

    def _replug(self, plugs: list[list[Any]]) -> None:
        self.plugs = [(a, pa, b, pb) for a, pa, b, pb in plugs]
        self.places = arrange(self.plugs)
        self.spots = free_spots(self.places, self.plugs)
        self.loops = free_loops(self.places, self.plugs)


def _rgb(light: list[int]) -> Rgb:
    return light[0], light[1], light[2]
