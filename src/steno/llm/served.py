"""Models behind a server, by pydantic-ai: one request for one question, to the address the user named and no other.

Nothing is tried twice in here, no redirect is followed, no variable of the environment names another server or key, and
no more than a megabyte is read. Gemini is asked through its OpenAI-compatible door: the SDK of its own would weigh more
than all of the rest.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from steno.address import Address
from steno.llm.base import MOST_BYTES, STOP_SECONDS, Choice, Question, Response, Stop, Used
from steno.vocabulary.errors import ModelFailed, ModelStopped, NoModel

INSTALL: Final = "pip install 'steno-memory[model]'"
_HINT: Final = "check model, model_url and the key"
# The provider's own address, for those who named none.
_OWN: Final = {
    "anthropic": "https://api.anthropic.com",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/openai",
    "openai": "https://api.openai.com/v1",
}
# A server of one's own asks for no key, but its library wants one.
_NO_KEY: Final = "none"
# What a server answers to a way of asking that it does not know.
_NOT_UNDERSTOOD: Final = (400, 422)


class _TooMuch(Exception):
    """The answer does not end."""


class _Elsewhere(Exception):
    """A redirect would carry the key and the words to an address that nobody named."""


class Served:
    """One model behind one address."""

    def __init__(self, name: str, address: Address, make: Callable[[str, Address, Any], Any]) -> None:
        self._name = name
        self._address = address
        self._make = make
        # Whether it understands a schema; until it says that it does not.
        self._takes_schema = True

    def ask(self, question: Question, *, seconds: float, stop: Stop) -> Response:
        """One request. Where the server does not understand a schema, another one with the schema in words."""
        try:
            return asyncio.run(asyncio.wait_for(_unless(stop, self._ask(question, seconds)), seconds))
        except ModelFailed:
            raise
        except TimeoutError:
            raise self._failed(f"was not done after {seconds:g} s") from None
        except Exception as error:
            # Whatever a library makes of what a stranger sent: nothing was learnt.
            raise self._explained(error) from None

    def _explained(self, error: BaseException) -> ModelFailed:
        """What went wrong, and whether somebody may charge for it."""
        import httpx2
        from pydantic_ai.exceptions import ModelHTTPError

        if isinstance(error, ModelHTTPError):
            said = self._address.quote(str(error.body).encode())
            return self._failed(f"answered {error.status_code}: {said}", may_have_cost=False)
        causes = [error]
        while (cause := causes[-1].__cause__) is not None:
            causes.append(cause)
        said = self._address.quote(str(causes[-1]).encode())
        for cause in causes:
            match cause:
                case _Elsewhere():
                    return self._failed("sends us to another address", may_have_cost=False)
                case _TooMuch():
                    return self._failed(f"answered with more than {MOST_BYTES >> 20} MB")
                case httpx2.ConnectError() | httpx2.ConnectTimeout():
                    return self._failed(f"does not answer: {said}", may_have_cost=False)
        return self._failed(f"answered with what cannot be read: {type(causes[-1]).__name__}: {said}")

    async def _ask(self, question: Question, seconds: float) -> Response:
        from pydantic_ai import exceptions

        async with _http(self._address, seconds) as client:
            model = self._make(self._name, self._address, client)
            if self._takes_schema and model.profile.get("supports_json_schema_output", False):
                try:
                    return await _request(model, question, "native")
                except exceptions.ModelHTTPError as error:
                    if error.status_code not in _NOT_UNDERSTOOD:
                        raise
            response = await _request(model, question, "prompted")
            self._takes_schema = False
            return response

    def _failed(self, what: str, *, may_have_cost: bool = True) -> ModelFailed:
        return ModelFailed(f"{self._address.place} {what}", hint=_HINT, may_have_cost=may_have_cost)


async def _unless(stop: Stop, asking: Coroutine[Any, Any, Response]) -> Response:
    """The answer, unless somebody says stop."""
    task = asyncio.ensure_future(asking)
    try:
        while not task.done():
            await asyncio.wait((task,), timeout=STOP_SECONDS)
            if stop() and not task.done():
                raise ModelStopped("the model was stopped")
        return task.result()
    finally:
        task.cancel()


async def _request(model: Any, question: Question, mode: Any) -> Response:
    from pydantic_ai import ModelRequest, direct, models
    from pydantic_ai.output import OutputObjectDefinition

    wanted = OutputObjectDefinition(json_schema=question.schema, name="answer")
    said = await direct.model_request(
        model,
        [ModelRequest.user_text_prompt(question.text, instructions=question.instructions)],
        model_settings={"max_tokens": question.most_out},
        model_request_parameters=models.ModelRequestParameters(output_mode=mode, output_object=wanted),
        instrument=False,
    )
    text = "".join(part.content for part in said.parts if part.part_kind == "text")
    usage = said.usage
    used = Used(said.model_name or "", usage.input_tokens, usage.output_tokens, usage.cache_read_tokens)
    return Response(text, used)


@asynccontextmanager
async def _http(address: Address, seconds: float) -> AsyncIterator[Any]:
    """A client that stays at the address and reads no more than it must."""
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for block in self._stream:
                if (size := size + len(block)) > MOST_BYTES:
                    raise _TooMuch
                yield block

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def bound(response: Any) -> None:
        if response.is_redirect:
            raise _Elsewhere
        response.stream = Bounded(response.stream)

    # What is meant for this machine does not go through the proxy of another one.
    async with httpx2.AsyncClient(
        timeout=seconds, follow_redirects=False, trust_env=not address.is_here, event_hooks={"response": [bound]},
        headers={"Accept-Encoding": "identity"},
    ) as client:  # fmt: skip
        yield client


def _openai(name: str, address: Address, client: Any) -> Any:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    sdk = AsyncOpenAI(base_url=address.url, api_key=address.key or _NO_KEY, http_client=client, max_retries=0)
    return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=sdk))


def _anthropic(name: str, address: Address, client: Any) -> Any:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    sdk = AsyncAnthropic(base_url=address.url, api_key=address.key or _NO_KEY, http_client=client, max_retries=0)
    return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=sdk))


# OpenAI, or any server that speaks so: Ollama, llama.cpp, vLLM, LM Studio, OpenRouter; and Gemini.
_MAKE: Final = {"anthropic": _anthropic, "gemini": _openai, "openai": _openai}


def load(choice: Choice, folder: Path) -> Served:
    """The model of a choice. NoModel: it cannot be had."""
    form = choice.model.partition(":")[0]
    try:
        import_module("pydantic_ai")
    except ImportError as error:
        raise NoModel(f"{choice.model} needs the package pydantic-ai-slim: {error}", hint=INSTALL) from error
    try:
        address = Address(choice.url or _OWN[form], choice.key)
    except ValueError as error:
        raise NoModel(str(error), hint=_HINT) from error
    if not (choice.url or address.key):
        raise NoModel(f"{choice.model} has no key", hint="set STENO_MODEL_KEY")
    return Served(choice.name, address, _MAKE[form])
