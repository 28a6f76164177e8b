"""Types of the tree of domains."""

from auritas.app.domain_page import DomainChange, DomainShown, DomainsRefreshed, DomainsShown, change_of, refreshed_of

__all__ = ["DomainChange", "DomainShown", "DomainsRefreshed", "DomainsShown", "change_of", "refreshed_of"]
