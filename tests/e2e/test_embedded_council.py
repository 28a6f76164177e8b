"""The embedded council on a machine whose network is closed."""

import shutil
import subprocess

import pytest
from tests.e2e.conftest import MODEL_DIR, TIER, Home

QUESTION = "What is the capital of Australia?"
CLOSED = ("unshare", "-rn")
"""A network namespace with nothing in it, not even a loopback that is up: also C code cannot reach anything."""


def can_close_the_network() -> bool:
    return shutil.which("unshare") is not None and subprocess.run([*CLOSED, "true"], check=False).returncode == 0


@pytest.fixture
def council(tmp_path_factory) -> Home:
    home = Home(tmp_path_factory.mktemp("council"))
    home.extra = {"AURITAS_MODEL_DIR": MODEL_DIR, "AURITAS_MODELS": "none"}
    return home


@pytest.mark.models("small")
def test_the_small_tier_answers_in_form_without_any_network(council):
    """The smallest model alone, without network, gives an answer with all its parts in any wording (E8, F17)."""
    if not can_close_the_network():
        pytest.skip("needs unshare with user namespaces (util-linux) to close the network")
    only_small = council.path / "models"
    only_small.mkdir(parents=True)
    for name in ("smollm2-135m-q4_1.gguf",):
        (only_small / name).symlink_to(f"{MODEL_DIR}/{name}")
    council.extra["AURITAS_MODEL_DIR"] = str(only_small)
    result = council.run("ask", "--level", "high", "--json", QUESTION, prefix=CLOSED)
    import json

    document = json.loads(result.out)
    members = {member["seat"]: member for member in document["members"]}
    assert set(members) == {"smollm2-135m", "calculator"}
    assert members["calculator"]["abstained"]
    assert members["smollm2-135m"]["answer"]
    assert document["answer"] == members["smollm2-135m"]["answer"]
    verified = json.loads(council.run("audit", "verify", "--json", prefix=CLOSED).out)
    assert verified["ok"]
    assert "Nothing has left this machine" in council.run("egress", prefix=CLOSED).out


@pytest.mark.models("small")
def test_a_sum_needs_no_model_at_all(council):
    """What the calculator can compute is answered by it alone at the default level (E2)."""
    result = council.json("ask", "What is 17*23?")
    assert result["answer"] == "391"
    assert result["shown_seat"] == "calculator"


@pytest.mark.slow
@pytest.mark.models("standard")
def test_the_standard_tier_knows_the_capital_of_australia(council):
    """With the network closed, three models and the calculator sit, and Canberra is chosen at both levels (E1)."""
    council.run("models", "get", "--if-missing")
    import json

    for level in ("high", "balanced"):
        done = council.run("ask", "--json", "--level", level, QUESTION, prefix=CLOSED)
        document = json.loads(done.out)
        assert "canberra" in document["answer"].lower()
        seats = {member["seat"] for member in document["members"]}
        if level == "high":
            assert seats == {"smollm2-135m", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b", "calculator"}
    assert council.json("ask", "--level", "high", "What is 17*23?")["shown_seat"] == "calculator"


def test_the_tier_under_test_is_known():
    """A misspelt tier would silently skip every test with models."""
    assert TIER in {"small", "standard"}
