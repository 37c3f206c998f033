"""Samples of the wizard: what it offers, and the table it is shown on."""

from attrs import evolve

from companion.screens.gallery.samples import TABLE
from companion.session.table import FleetChoice, ManagerChoice, Phase, PlanetChoice, ScenarioChoice, SetupView

SETUP_VIEW = SetupView(
    managers=(
        ManagerChoice("bloch", "Paul Bloch", "B", "#F5B83D", ("Hangar", "Test Chamber"), 9, (("pilot", "Pilot"), ("kingpin", "Kingpin"))),
        ManagerChoice("carter", "Giselle Carter", "C", "#FF8FA3", ("Hangar", "Laboratory"), 8),
        ManagerChoice("gore", "Athena Gore", "G", "#7EE081", ("Hangar", "Bunker"), 7, (("sergeant", "Sergeant"), ("special", "Special Operative"))),
        ManagerChoice("artyomov", "Boris Artyomov", "A", "#FF7A59", ("Test Chamber", "Laboratory"), 6),
        ManagerChoice("chen", "Art Chen", "H", "#4CD7D0", ("Community Tower", "Obelisk"), 5),
        ManagerChoice("xu", "Ava Xu", "X", "#C79BFF", ("Community Tower", "Prison Dome"), 4, (("ai", "Strong AI"), ("medium", "Medium"))),
        ManagerChoice("pokorny", "Vlad Pokorny", "P", "#9FB4D8", ("Community Tower", "Terran Embassy"), 3),
        ManagerChoice("mccain", "Mac McCain", "M", "#5BB8F5", ("Consulate", "Spaceport"), 2),
        ManagerChoice("johannes", "Lucas Johannes", "J", "#E9DCA0", ("Prison Dome",), 1),
    ),
    planets=(
        PlanetChoice("gliese", "Gliese 667 Cc", "Mild, wet, a long year. A good place to learn.", "Gentle", -30),
        PlanetChoice("proxima", "Proxima b", "Red light, storms of its star, thin air. The usual hardship.", "Standard", -40),
        PlanetChoice("kepler", "Kepler-442 b", "Heavy ground and cold nights; riots come early.", "Hard", -55),
    ),
    fleets=(
        FleetChoice("freighter", "Freighter Group", "Every manager begins with 1 TG more."),
        FleetChoice("hospital", "Hospital Ship", "Happiness begins a little higher."),
    ),
    scenarios=(
        ScenarioChoice("strike", "The Long Strike", "The machines stand still and the Citizens want a word.", "Hard"),
        ScenarioChoice("harvest", "Harvest Home", "The first grain of this world stands as high as a child. It has to be brought in before the dust season, which nobody here has seen yet, and the hands that could do it have just been promised to somebody else.", "Gentle"),
        ScenarioChoice("quiet", "A Quiet Frequency", "Earth has not called for a year. That was a relief at first. Now somebody answers on the old channel who knows all your names.", "Extreme", planet="kepler"),
        ScenarioChoice("first", "Tutorial: The First Evening", "Six rounds on a kind world. You learn where things lie and when to tap NEXT.", "Gentle", planet="gliese", is_tutorial=True),
        ScenarioChoice("second", "Tutorial: Taking a Vote", "Cards, approval and who decides. Nothing here is held against you afterwards.", "Gentle", is_tutorial=True),
    ),
    seated=("bloch", "gore", "xu"),
)  # fmt: skip

SETUP = evolve(TABLE, phase=Phase.SETUP, colony=None, setup=SETUP_VIEW, undo_text=None)
