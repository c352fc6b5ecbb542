"""What tokens cost, by genai-prices, in dollars. Its table comes along; nothing is fetched."""

from typing import Any, Final

from steno.llm.base import Choice, Used

_PROVIDERS: Final = {"anthropic": "anthropic", "gemini": "google", "openai": "openai"}
# A million tokens in and out of the dearest models anybody would use for this: what is not known costs so much, so that
# a cap holds.
_DEAREST: Final = (15.0, 75.0)


def price(choice: Choice, used: Used) -> float:
    """What a call cost, or at most."""
    if choice.is_free:
        return 0.0
    try:
        import genai_prices

        usage = genai_prices.Usage(
            input_tokens=used.tokens_in, output_tokens=used.tokens_out, cache_read_tokens=used.tokens_cached
        )
        whose: dict[str, Any] = {"provider_id": _PROVIDERS[choice.model.partition(":")[0]]}
        if choice.url:
            whose = {"provider_api_url": choice.url}
        found = genai_prices.calc_price(usage, choice.name, **whose)
        return float(found.total_price)
    except (ImportError, LookupError, ValueError):
        return (used.tokens_in * _DEAREST[0] + used.tokens_out * _DEAREST[1]) / 1e6
