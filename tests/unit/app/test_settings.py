"""Settings: one typed object, from the file, the environment and flags, in this order."""

import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auritas.app.settings import CONFIG_FILE, Settings, allowed, explain, load, origin, write_file, write_key
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.errors import InvalidError, NotFoundError, UnavailableError


@pytest.fixture
def home(tmp_path):
    for variable in [name for name in os.environ if name.startswith("AURITAS_")]:
        del os.environ[variable]  # what the tests were started with is no part of what they test
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_without_anything_set_the_defaults_are_in_force(home):
    """A fresh home has the documented defaults."""
    found = load(home=home)
    assert (found.level, found.chat_level, found.models) == (AccuracyLevel.BALANCED, AccuracyLevel.HIGH, "standard")
    assert found.model_folder == home / "models"


def test_flags_win_over_the_environment_and_that_over_the_file(home):
    """The nearer to the command, the stronger."""
    write_key(home, "max_tokens", "100")
    assert load(home=home).max_tokens == 100
    assert origin("max_tokens", home) == CONFIG_FILE
    os.environ["AURITAS_MAX_TOKENS"] = "200"
    assert load(home=home).max_tokens == 200
    assert origin("max_tokens", home) == "environment"
    assert load(home=home, max_tokens=300).max_tokens == 300
    assert origin("level", home) == "default"


@pytest.mark.parametrize("variable", ["AURITAS_LEVLE", "AURITAS_HOMES"])
def test_an_unknown_variable_is_refused_with_the_nearest(home, variable):
    """A typo in the environment is an error, not a setting that does nothing."""
    os.environ[variable] = "x"
    with pytest.raises(InvalidError, match="Did you mean"):
        load(home=home)


@pytest.mark.parametrize(
    ("key", "value"),
    [("level", "best"), ("max_tokens", "1"), ("max_tokens", "many"), ("zone", "Mars/Base"), ("deadline_s", "0")],
)
def test_a_wrong_value_is_refused_and_changes_nothing(home, key, value):
    """A bad value names its key, and the file stays as it was."""
    write_key(home, "level", "high")
    before = (home / CONFIG_FILE).read_bytes()
    with pytest.raises(InvalidError, match=key):
        write_key(home, key, value)
    assert (home / CONFIG_FILE).read_bytes() == before


@pytest.mark.parametrize(
    ("key", "value", "takes"),
    [
        ("level", "best", "fast, balanced, high or maximum"),
        ("models", "big", "standard, small or none"),
        ("max_tokens", "many", "a whole number at least 16 and at most 8192"),
        ("deadline_s", "0", "a number above 0 and at most 3600"),
        ("debug", "perhaps", "true or false"),
    ],
)
def test_a_wrong_value_is_told_what_the_setting_takes(home, key, value, takes):
    """The sentence is ours, not that of a library."""
    with pytest.raises(InvalidError) as refused:
        write_key(home, key, value)
    assert refused.value.message == f"The setting {key!r} cannot be {value!r}: it takes {takes}."
    assert allowed(key) == takes


def test_an_unknown_key_is_refused_with_the_nearest(home):
    """Setting or explaining what does not exist names what does."""
    with pytest.raises(NotFoundError, match="'level'"):
        write_key(home, "levle", "high")
    with pytest.raises(NotFoundError, match="'level'"):
        explain("levle")


def test_an_empty_value_removes_the_key(home):
    """What was set can be unset."""
    write_key(home, "level", "high")
    assert write_key(home, "level", "").level is AccuracyLevel.BALANCED
    assert (home / CONFIG_FILE).read_text() == ""


def test_a_file_that_is_not_toml_is_named(home):
    """A broken file gets a sentence with its path."""
    (home / CONFIG_FILE).write_text("level = = high")
    with pytest.raises(InvalidError, match="not valid TOML"):
        load(home=home)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=30))
def test_any_text_survives_the_file(home, value):
    """Whatever is written to config.toml is read back from it."""
    write_key(home, "proxy", value)
    assert tomllib.loads((home / CONFIG_FILE).read_text())["proxy"] == value
    assert load(home=home).proxy == value


def test_every_setting_explains_itself():
    """Each field has a description that ends as a sentence."""
    for name in Settings.model_fields:
        assert explain(name).endswith(".")


def test_an_empty_variable_is_not_set(home):
    """An empty variable neither hides the file nor becomes a value; an empty path is not the current folder."""
    write_key(home, "max_tokens", "100")
    os.environ |= {"AURITAS_MAX_TOKENS": "", "AURITAS_MODEL_DIR": "", "AURITAS_PASSPHRASE_FILE": ""}
    found = load(home=home)
    assert found.max_tokens == 100
    assert origin("max_tokens", home) == CONFIG_FILE
    assert found.model_folder == home / "models"
    assert found.passphrase_file is None


def test_a_path_is_kept_whole(home):
    """`~` is the user's home, and a path does not depend on where the next command is run."""
    os.environ["HOME"] = "/somebody"
    (home / CONFIG_FILE).write_text('model_dir = "~/weights"\npassphrase_file = "secret.txt"')
    found = load(home=home)
    assert found.model_dir == Path("/somebody/weights")
    assert found.passphrase_file == Path.cwd() / "secret.txt"


def test_a_file_that_cannot_be_written_is_an_error_with_a_remedy(home):
    """Where config.toml cannot be replaced, a sentence says so, and nothing is left behind."""
    (home / CONFIG_FILE).mkdir()
    with pytest.raises(UnavailableError, match="cannot be written"):
        write_file(home, "")
    assert [path.name for path in home.iterdir()] == [CONFIG_FILE]
