"""The one session of the ARC: only one tablet at a time gets the events. Pure."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.arc.session_link import SessionLink


class Seat:
    """The one session of this ARC: which connection holds it, and for which tablet."""

    def __init__(self) -> None:
        self.holder: "SessionLink | None" = None
        self.tablet = 0

    def is_free_for(self, tablet: int) -> bool:
        """Free, or held by an earlier connection of the same tablet, which is then dead or will be told to go."""
        return self.holder is None or self.tablet == tablet

    def session(self) -> "tuple[object, int]":
        """Another one after each RESUME: what one session began no other goes on with."""
        return self.holder, self.holder.resumes if self.holder is not None else 0

    def take(self, link: "SessionLink", tablet: int) -> None:
        """Sit down; an earlier connection of the same tablet is displaced."""
        before = self.holder
        self.holder, self.tablet = link, tablet
        if before is not None and before is not link:
            before.displace()

    def leave(self, link: "SessionLink") -> None:
        if self.holder is link:
            self.holder = None
