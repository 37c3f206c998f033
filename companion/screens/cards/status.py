"""The three statuses as rings."""

from kivy.properties import ObjectProperty

from companion.screens.view_models.cards import StatusCardVM
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.panels import PressCard


class StatusCard(PressCard):
    vm = ObjectProperty(StatusCardVM(), rebind=True)


load_kv(__file__)
