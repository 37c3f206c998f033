"""What can end the colony, and a scenario's bars."""

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.view_models.cards import SpecialCardVM, SpecialRowVM
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.panels import PressCard, Surface


class SpecialCard(PressCard):
    vm = ObjectProperty(SpecialCardVM(), rebind=True)


class SpecialRow(Surface, BoxLayout):
    vm = ObjectProperty(SpecialRowVM(), rebind=True)


load_kv(__file__)
