"""`auritas domains`, as a person uses it."""


def test_an_empty_tree_explains_itself(home):
    """Before the first question the ten roots stand there, and what to do."""
    shown = " ".join(home.run("domains").out.split())
    assert "mathematics" in shown
    assert "Ask something first" in shown
    assert len(home.json("domains")["domains"]) == 10


def test_a_name_is_added_and_taken_back(home):
    """alias, show and undo work on roots by any of their names, and an undo says what it took back."""
    home.run("domains", "alias", "law", "Legalese")
    assert "legalese" in home.json("domains", "show", "legal")["aliases"]
    assert "legal" in home.run("domains", "undo").out
    assert "legalese" not in home.json("domains", "show", "legal")["aliases"]
    assert home.run("audit", "verify").code == 0


def test_mistakes_say_what_to_do(home):
    """An unknown name suggests the nearest, a root stays, a taken name names its owner, nothing is nothing."""
    assert "'science'" in home.run("domains", "show", "scienc", code=3).err
    assert "fixed roots" in home.run("domains", "demote", "code", code=4).err
    assert "legal" in home.run("domains", "alias", "code", "law", code=4).err
    assert "has not been changed" in home.run("domains", "undo", code=3).err
    assert home.json("domains", "prune") == {"pruned": []}
    assert home.json("domains", "refresh")["promoted"] == []
