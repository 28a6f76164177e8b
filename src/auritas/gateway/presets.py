"""Well-known providers, so that nobody has to look up an address.

Prices are in US dollars per million tokens as the providers printed them on PRICES_AS_OF. They change without notice:
every number can be edited when a model is added, and a bill is the provider's, not ours.
"""

from dataclasses import dataclass

from auritas.gateway.model import EndpointKind
from auritas.kernel.errors import NotFoundError, nearest
from auritas.kernel.model import MICROS_PER_UNIT, Price

PRICES_AS_OF = "2025-10"

_K = 1_000


@dataclass(frozen=True, slots=True)
class Offer:
    """A model of a preset. window: tokens of context."""

    model_id: str
    window: int
    price: Price


@dataclass(frozen=True, slots=True)
class Preset:
    """A provider: its address, protocol and key.

    key_name: name under which its key is kept, None where no key is wanted. local: it runs on this machine.
    newer_limit: see Endpoint.
    """

    name: str
    title: str
    base_url: str
    key_name: str | None
    offers: tuple[Offer, ...] = ()
    kind: EndpointKind = EndpointKind.OPENAI
    local: bool = False
    newer_limit: bool = False

    def offer(self, model_id: str) -> Offer | None:
        """Return what is known of `model_id`, or None."""
        return next((offer for offer in self.offers if offer.model_id == model_id), None)


def _dollars(amount: float) -> int:
    return round(amount * MICROS_PER_UNIT)


def _offer(model_id: str, window: int, dollars_in: float, dollars_out: float) -> Offer:
    return Offer(model_id, window, Price(_dollars(dollars_in), _dollars(dollars_out)))


PRESETS: tuple[Preset, ...] = (
    Preset(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        "openai",
        (
            _offer("gpt-5", 400 * _K, 1.25, 10.0),
            _offer("gpt-5-mini", 400 * _K, 0.25, 2.0),
            _offer("gpt-4.1", 1_047 * _K, 2.0, 8.0),
            _offer("gpt-4.1-mini", 1_047 * _K, 0.4, 1.6),
        ),
        newer_limit=True,
    ),
    Preset(
        "anthropic",
        "Anthropic",
        "https://api.anthropic.com",
        "anthropic",
        (_offer("claude-sonnet-4-5", 200 * _K, 3.0, 15.0), _offer("claude-haiku-4-5", 200 * _K, 1.0, 5.0)),
        kind=EndpointKind.ANTHROPIC,
    ),
    Preset(
        "gemini",
        "Google Gemini (compatible endpoint)",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "gemini",
        (_offer("gemini-2.5-pro", 1_048 * _K, 1.25, 10.0), _offer("gemini-2.5-flash", 1_048 * _K, 0.3, 2.5)),
    ),
    Preset(
        "mistral",
        "Mistral",
        "https://api.mistral.ai/v1",
        "mistral",
        (_offer("mistral-large-latest", 128 * _K, 2.0, 6.0), _offer("mistral-small-latest", 128 * _K, 0.1, 0.3)),
    ),
    Preset(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com/v1",
        "deepseek",
        (_offer("deepseek-chat", 128 * _K, 0.28, 0.42), _offer("deepseek-reasoner", 128 * _K, 0.28, 0.42)),
    ),
    Preset(
        "xai",
        "xAI",
        "https://api.x.ai/v1",
        "xai",
        (_offer("grok-4", 256 * _K, 3.0, 15.0), _offer("grok-3-mini", 131 * _K, 0.3, 0.5)),
    ),
    Preset(
        "groq",
        "Groq",
        "https://api.groq.com/openai/v1",
        "groq",
        (_offer("llama-3.3-70b-versatile", 131 * _K, 0.59, 0.79), _offer("llama-3.1-8b-instant", 131 * _K, 0.05, 0.08)),
    ),
    Preset("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "openrouter"),
    Preset("ollama", "Ollama", "http://127.0.0.1:11434/v1", None, local=True),
    Preset("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", None, local=True),
    Preset("llamacpp", "llama.cpp server", "http://127.0.0.1:8080/v1", None, local=True),
    Preset("vllm", "vLLM", "http://127.0.0.1:8000/v1", None, local=True),
)


def preset(name: str) -> Preset:
    """Return the preset called `name`. Raises NotFoundError naming the nearest ones."""
    found = next((p for p in PRESETS if p.name == name), None)
    if found is None:
        names = [p.name for p in PRESETS]
        raise NotFoundError(
            f"There is no preset named {name!r}.", remedy=nearest(name, names) or f"Known: {', '.join(names)}."
        )
    return found


def preset_at(base_url: str) -> Preset | None:
    """Return the preset that lives at `base_url`, if one does."""
    return next((p for p in PRESETS if p.base_url == base_url.rstrip("/")), None)
