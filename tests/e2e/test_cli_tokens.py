"""`auritas tokens`, as a person uses it."""


def test_a_token_is_made_listed_and_taken_back(home):
    """A token is shown once, is listed without its secret, and is gone after it was revoked (W1)."""
    made = home.json("tokens", "create", "editor", "--scope", "query", "--scope", "stream", "--expires", "30d")
    assert made["secret"].startswith("aur_")
    assert made["scopes"] == ["query", "stream"]
    listed = home.run("tokens", "list").out
    assert "editor" in listed
    assert made["secret"] not in listed
    assert home.json("tokens", "revoke", made["id"])["revoked"] == made["id"]
    assert home.json("tokens", "list")["tokens"] == []
    assert home.run("audit", "verify").code == 0


def test_a_person_is_let_in_before_they_get_a_token(home):
    """Whoever was not let in gets no token, and the words say how to let them in (W2)."""
    assert "tokens admit anna" in home.run("tokens", "create", "x", "--scope", "query", "--owner", "anna", code=3).err
    home.run("tokens", "admit", "anna")
    assert home.json("tokens", "create", "x", "--scope", "query", "--owner", "anna")["owner"] == "anna"
    assert home.json("tokens", "list")["people"] == ["local", "anna"]


def test_mistakes_with_tokens_say_what_to_do(home):
    """A misspelt scope suggests the nearest, a time that is none names the forms, an unknown id is not there (W1)."""
    assert "'query'" in home.run("tokens", "create", "x", "--scope", "qery", code=2).err
    assert "30d" in home.run("tokens", "create", "x", "--scope", "query", "--expires", "soon", code=2).err
    assert "0193" in home.run("tokens", "revoke", "0193", code=3).err


def test_the_install_token_is_private_and_replaced(home):
    """The install token lies in a file of its owner alone, and a rotation leaves another one there (W1)."""
    home.run("tokens", "rotate")
    file = home.path / "server.token"
    before = file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    home.run("tokens", "rotate")
    assert file.read_text() != before
