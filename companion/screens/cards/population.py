"""Citizens, beds, and the five groups."""

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.view_models.cards import GroupVM, PopulationCardVM
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.panels import PressCard


class PopulationCard(PressCard):
    vm = ObjectProperty(PopulationCardVM(), rebind=True)


class GroupColumn(BoxLayout):
    vm = ObjectProperty(GroupVM(), rebind=True)


load_kv(__file__)
