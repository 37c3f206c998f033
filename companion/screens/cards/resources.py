"""Four resources: what is made and used, and the accumulator."""

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.view_models.cards import ResourcesCardVM, ResourceVM
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.panels import PressCard


class ResourcesCard(PressCard):
    vm = ObjectProperty(ResourcesCardVM(), rebind=True)


class ResourceRow(BoxLayout):
    vm = ObjectProperty(ResourceVM(), rebind=True)


load_kv(__file__)
