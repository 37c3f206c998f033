"""STOCK and what is being built."""

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.view_models.cards import BuildVM, EconomyCardVM
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.panels import PressCard


class EconomyCard(PressCard):
    vm = ObjectProperty(EconomyCardVM(), rebind=True)


class BuildRow(BoxLayout):
    vm = ObjectProperty(BuildVM(), rebind=True)


load_kv(__file__)
