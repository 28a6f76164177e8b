"""The tree of domains: names, slips, meanings, shares and changes."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.council.domains import changes
from auritas.council.domains.errors import (
    BadNameError,
    DomainChangeError,
    FixedRootError,
    NameInUseError,
    UnknownDomainError,
)
from auritas.council.domains.meaning import KnownFields
from auritas.council.domains.naming import NAME_CHARACTERS, edit_similarity, is_typo, node_id, normalise
from auritas.council.domains.roots import ROOTS, built_in_roots
from auritas.council.domains.tags import tag_shares, trimmed
from auritas.council.domains.tree import DomainNode, DomainTree, ResolvedBy
from auritas.kernel.errors import InvalidError

BUILT_IN = built_in_roots()
KNOWN = KnownFields(BUILT_IN.near)
TREE = changes.promote(changes.promote(BUILT_IN.tree, "rust", "code"), "borrow checker", "rust")


class Near:
    """Says that everything is near one node."""

    def __init__(self, node: str, similarity: float) -> None:
        self.said = (node, similarity)

    def known(self, _string: str) -> str | None:
        return None

    def nearest(self, _string: str) -> tuple[str, float]:
        return self.said


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "normal"),
    [
        ("  Software-Engineering ", "software engineering"),
        ("web_development/CSS", "web development css"),
        ("C++", "c++"),
        ("R&D", "r and d"),
        ("\x1b[31mlaw\x00", "31mlaw"),
        ("Mathématiques", "mathématiques"),
        ("a" * 60, "a" * NAME_CHARACTERS),
        ("***", ""),
    ],
)
def test_a_tag_is_normalised(tag, normal):
    """Trimmed, lower case, - and _ as spaces, safe characters of every script, at most forty."""
    assert normalise(tag) == normal


@given(st.text(max_size=80))
def test_normalising_twice_changes_nothing(tag):
    """The normal form is its own normal form, short, on one line and without control characters."""
    normal = normalise(tag)
    assert normalise(normal) == normal
    assert len(normal) <= NAME_CHARACTERS
    assert all(c == " " or c.isprintable() for c in normal)


def test_ids_are_snake_case_and_unique():
    """C, C++ and C# have different ids, and a taken id gets a number."""
    assert [node_id(name) for name in ("C", "C++", "C#", "Contract Law")] == [
        "c",
        "c_plus_plus",
        "c_sharp",
        "contract_law",
    ]
    assert node_id("rust", {"rust", "rust_2"}) == "rust_3"


@given(st.text("abcd", max_size=8), st.text("abcd", max_size=8))
def test_edit_similarity_is_a_similarity(a, b):
    """It is symmetric, 1 for equal texts alone, and a swap of neighbours is one slip."""
    assert edit_similarity(a, b) == edit_similarity(b, a)
    assert (edit_similarity(a, b) == 1) == (a == b)
    assert 0 <= edit_similarity(a, b) <= 1
    assert edit_similarity("algebra", "aglebra") == pytest.approx(1 - 1 / 7)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("law", "raw"),
        ("law", "laws"),
        ("legal", "regal"),
        ("music", "mufic"),
        ("math", "bath"),
        ("web2 design", "web3 design"),
    ],
)
def test_short_or_other_words_are_no_slips(word, name):
    """One letter makes another word of a short one; another first letter or digit does at any length."""
    assert not is_typo(word, name)


# --- resolving -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "node", "by"),
    [
        ("codng", "code", ResolvedBy.TYPO),
        ("", "general", ResolvedBy.NOTHING),
        ("  ", "general", ResolvedBy.NOTHING),
        ("mathmatics", "mathematics", ResolvedBy.TYPO),
        ("software_engineering", "code", ResolvedBy.NAME),
        ("LAW", "legal", ResolvedBy.NAME),
        ("medicine", "medical", ResolvedBy.NAME),
        ("research", "analysis", ResolvedBy.NAME),
    ],
)
def test_names_and_slips_find_their_root(tag, node, by):
    """Coding with a slip is code and nothing is general; aliases lead to their roots (C14)."""
    found = BUILT_IN.tree.resolve(tag, KNOWN)
    assert (found.node, found.by, found.candidate) == (node, by, False)


@pytest.mark.parametrize(
    ("field", "root"),
    [
        ("business", "finance"),
        ("law", "legal"),
        ("psychology", "analysis"),
        ("biology", "science"),
        ("chemistry", "science"),
        ("history", "history"),
        ("other", "general"),
        ("health", "medical"),
        ("economics", "finance"),
        ("math", "mathematics"),
        ("physics", "science"),
        ("computer science", "code"),
        ("philosophy", "analysis"),
        ("engineering", "science"),
    ],
)
def test_fields_of_exam_tables_have_a_root(field, root):
    """Each ordinary field of an examination is a name of one root."""
    assert BUILT_IN.tree.resolve(field).node == root


@pytest.mark.parametrize(
    ("tag", "parent"), [("contract law", "legal"), ("oncology", "medical"), ("ergonomics", "science"), ("rust", "code")]
)
def test_a_known_field_is_a_candidate_below_its_root_and_nobodys_slip(tag, parent):
    """Contract law lies below legal though it is spelt like nothing there; oncology is no slip of ontology."""
    found = BUILT_IN.tree.resolve(tag, KNOWN)
    assert (found.node, found.by, found.candidate) == (parent, ResolvedBy.MEANING, True)


def test_meaning_decides_from_sixty_hundredths_on():
    """A tag that is near enough becomes a candidate there, else under general; spelling never makes a parent."""
    near = BUILT_IN.tree.resolve("zymurgy", Near("science", 0.60))
    assert (near.node, near.candidate, near.similarity) == ("science", True, 0.60)
    far = BUILT_IN.tree.resolve("zymurgy", Near("science", 0.59))
    assert (far.node, far.by, far.candidate) == ("general", ResolvedBy.NOTHING, True)
    assert BUILT_IN.tree.resolve("contract lawn").node == "general"


def test_a_slip_of_two_names_is_neither():
    """Where two nodes are equally near the spelling decides nothing."""
    tree = changes.add_alias(changes.add_alias(BUILT_IN.tree, "code", "abcdefg"), "legal", "abcdefh")
    assert tree.resolve("abcdefk").by is ResolvedBy.NOTHING


@given(st.text(max_size=50))
def test_whatever_a_member_writes_has_a_place(tag):
    """Every text resolves to a node of the tree."""
    assert TREE.resolve(tag, KNOWN).node in TREE


# --- shares ----------------------------------------------------------------------------------------------------------


def test_tags_are_shared_equally():
    """Tags "code, mathematics" and "code" are .75 code and .25 mathematics (C1)."""
    assert tag_shares(BUILT_IN.tree, [["code", "mathematics"], ["code"]]) == {"code": 0.75, "mathematics": 0.25}
    assert tag_shares(BUILT_IN.tree, [["coding", "programming"], [], [" "]]) == {"code": 1.0}
    assert tag_shares(BUILT_IN.tree, [[], []]) == {"general": 1.0}


def test_small_shares_are_dropped():
    """A share of .03 goes, and the rest is the whole (C4)."""
    assert trimmed({"code": 0.97, "legal": 0.03}) == {"code": 1.0}
    assert trimmed({"code": 0.95, "legal": 0.05}) == pytest.approx({"code": 0.95, "legal": 0.05})
    assert trimmed({}) == {"general": 1.0}


@given(st.dictionaries(st.sampled_from(ROOTS), st.floats(0, 1), max_size=10))
def test_trimmed_shares_add_up_to_one(shares):
    """Whatever comes in, shares add up to 1 and none is below .05."""
    left = trimmed(shares)
    assert sum(left.values()) == pytest.approx(1)
    assert min(left.values()) >= 0.05


def test_a_parent_gets_what_lies_below_it():
    """p(j|q) covers the paths to the roots, and a parent has the sum of its children's shares and its own."""
    spread = TREE.spread({"borrow_checker": 0.5, "code": 0.2, "legal": 0.3})
    assert spread == pytest.approx({"borrow_checker": 0.5, "rust": 0.5, "code": 0.7, "legal": 0.3})
    assert TREE.path("borrow_checker") == ("borrow_checker", "rust", "code")
    assert TREE.ancestors("rust") == ("code",)
    assert TREE.subtree("code") == {"code", "rust", "borrow_checker"}


# --- changes ---------------------------------------------------------------------------------------------------------

CHANGES: list[Callable[[DomainTree], DomainTree]] = [
    lambda tree: changes.promote(tree, "Async-IO", "rust"),
    lambda tree: changes.promote(tree, "c++", "code"),
    lambda tree: changes.merge(tree, "rust", "mathematics"),
    lambda tree: changes.merge(tree, "borrow_checker", "code"),
    lambda tree: changes.demote(tree, "rust"),
    lambda tree: changes.rename(tree, "rust", "Systems programming"),
    lambda tree: changes.add_alias(tree, "general", "bits and bobs"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_can_be_taken_back(change):
    """The difference between two trees leads there and back, and what was known stays known."""
    new = change(TREE)
    step = changes.difference(TREE, new)
    assert changes.applied(TREE, step) == new
    assert changes.applied(new, step.back) == TREE
    assert all(new.owner(name) for node in TREE.nodes.values() for name in node.names)


def test_a_merge_moves_names_and_children():
    """After a merge the target has the names, and the children lie below it at their new depth."""
    tree = changes.merge(TREE, "rust", "science")
    assert tree.resolve("rust").node == "science"
    assert tree.nodes["borrow_checker"].parent == "science"
    assert tree.nodes["borrow_checker"].depth == 1
    assert tree.current({"rust": 0.4, "science": 0.6}) == {"science": 1.0}


def test_a_demoted_node_is_dissolved_in_its_parent():
    """Its names lead to the parent, so that it is not promoted again, and its children move up."""
    tree = changes.demote(TREE, "rust")
    assert tree.resolve("rust").node == "code"
    assert tree.path("borrow_checker") == ("borrow_checker", "code")


def test_a_renamed_node_keeps_its_old_name():
    """What was stored under the old id is found under the new one."""
    tree = changes.rename(TREE, "rust", "Systems Programming")
    assert tree.today("rust") == "systems_programming"
    assert tree.children("systems_programming") == ("borrow_checker",)
    assert changes.rename(tree, "systems_programming", "rust").path("borrow_checker") == (
        "borrow_checker",
        "rust",
        "code",
    )


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda tree: changes.demote(tree, "code"), FixedRootError),
        (lambda tree: changes.rename(tree, "law", "x"), FixedRootError),
        (lambda tree: changes.merge(tree, "rust", "borrow checker"), DomainChangeError),
        (lambda tree: changes.merge(tree, "rust", "rust"), DomainChangeError),
        (lambda tree: changes.promote(tree, "law", "code"), NameInUseError),
        (lambda tree: changes.promote(tree, "!!!", "code"), BadNameError),
        (lambda tree: changes.add_alias(tree, "code", "rust"), NameInUseError),
        (lambda tree: changes.rename(tree, "rust", "rust"), DomainChangeError),
        (lambda tree: changes.demote(tree, "rusty"), UnknownDomainError),
    ],
)
def test_a_change_that_cannot_be_says_why(change, error):
    """Roots stay, names belong to one node, no node lies below itself, and each error says what to do."""
    with pytest.raises(error) as caught:
        change(TREE)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("change", "command"),
    [
        (lambda: changes.add_alias(TREE, "rust", "legal"), "auritas domains merge rust legal"),
        (lambda: changes.add_alias(TREE, "code", "rust"), "auritas domains merge rust code"),
        (lambda: changes.rename(TREE, "rust", "borrow checker"), "auritas domains merge borrow_checker rust"),
        (lambda: changes.add_alias(TREE, "code", "legal"), ""),
    ],
)
def test_who_cannot_have_a_name_is_advised_what_can_be_done(change, command):
    """The advice is a command that the tree allows: two roots cannot be joined, and nothing goes into what is below."""
    with pytest.raises(NameInUseError) as refused:
        change()
    _, _, advised = refused.value.remedy.partition(": ")
    assert advised == command
    if command:
        changes.merge(TREE, *command.split()[3:])


def test_a_step_that_does_not_fit_changes_nothing():
    """A change made on another tree is refused."""
    step = changes.difference(TREE, changes.rename(TREE, "rust", "ferris"))
    with pytest.raises(DomainChangeError):
        changes.applied(changes.demote(TREE, "rust"), step)


@pytest.mark.parametrize(
    "nodes",
    [
        [DomainNode("a", "b", 1)],
        [DomainNode("a", None, 1)],
        [DomainNode("a", "b", 1), DomainNode("b", "a", 1)],
        [DomainNode("a", None, 0, ("x",)), DomainNode("b", None, 0, ("x",))],
    ],
)
def test_what_is_no_tree_is_refused(nodes):
    """Missing parents, circles, wrong depths and shared names cannot be built."""
    with pytest.raises(InvalidError):
        DomainTree(nodes)


@pytest.mark.parametrize("tag", ["++", "#", "\u0301", "+ +", " - ", "\u200b"])
def test_signs_alone_name_nothing(tag):
    """A tag without a letter or a digit is as good as none."""
    assert normalise(tag) == ""
    assert BUILT_IN.tree.resolve(tag).candidate is False


def test_an_id_never_reads_like_anothers_name():
    """F# gets an id of its own where "f sharp" names another node; so do long names that begin alike."""
    tree = changes.add_alias(BUILT_IN.tree, "code", "f sharp")
    tree = changes.promote(tree, "f#", "code")
    assert (tree.resolve("F#").node, tree.resolve("f sharp").node) == ("f_sharp_2", "code")
    for name in ("x+++++++", "x++++++++", "x+++++++++", "x++++++++++"):
        tree = changes.promote(tree, name, "code")
        assert tree.nodes[tree.resolve(name).node].parent == "code"
    assert all(tree.resolve(node).node == node for node in tree.nodes)
    renamed = changes.rename(changes.promote(tree, "rust", "code"), "rust", "c#")
    assert renamed.resolve("c#").node == "c_sharp"
