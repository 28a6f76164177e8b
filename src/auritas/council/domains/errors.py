"""What can go wrong with the tree of domains."""

from collections.abc import Sequence

from auritas.kernel.errors import InvalidError, NotFoundError, RefusedError, nearest


class UnknownDomainError(NotFoundError):
    """There is no node of that name."""

    code = "unknown_domain"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        hint = nearest(name, known)
        super().__init__(
            f"There is no domain {name!r}.",
            remedy=f"{hint} See all under Under the hood, Domains, or by auritas domains".strip(),
        )


class FixedRootError(RefusedError):
    """The ten roots stay as they are."""

    code = "fixed_root"

    def __init__(self, root: str) -> None:
        super().__init__(
            f"{root} is one of the ten fixed roots.",
            remedy="Other nodes can be merged, demoted and renamed; a root can get more names: auritas domains alias",
        )


class DomainChangeError(RefusedError):
    """A change would not leave a tree."""

    code = "domain_change"


class NameInUseError(RefusedError):
    """A name belongs to one node."""

    code = "domain_name_in_use"

    def __init__(self, name: str, owner: str, joining: str = "") -> None:
        remedy = f"Choose another name, or join the two: {joining}" if joining else "Choose another name."
        super().__init__(f"{name!r} is a name of {owner} already.", remedy=remedy)


class BadNameError(InvalidError):
    """A name without a letter or a digit names nothing."""

    code = "bad_domain_name"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} cannot name a domain.", remedy="Use letters, digits and spaces.")
